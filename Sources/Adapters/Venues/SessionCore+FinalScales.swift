import Instruments
import MarketData

/// How the numbers of one instrument are read.
typealias InstrumentForms = (price: DecimalForm, size: DecimalForm)

extension SessionCore {
    /// Runs a read again at finer scales until all its numbers fit.
    ///
    /// - Parameters:
    ///   - index: Whose numbers they are.
    ///   - read: Starts anew each time: it sets the scanner back and forgets what it has read.
    /// - Returns: What was read at the final scales.
    /// - Throws: ``ScanError``, where finer scales do not help.
    @inline(__always)
    mutating func atFinalScales<Result>(
        _ index: InstrumentIndex, _ read: (InstrumentForms) throws(ScanError) -> Result
    ) throws(ScanError) -> Result {
        // Each turn adds places, of which there are at most 18 for prices and 18 for sizes.
        for _ in 0...36 {
            do throws(ScanError) {
                return try read(forms[index.offset])
            } catch {
                guard refine(index, after: error) else { throw error }
            }
        }
        throw .malformed
    }

    /// Makes some levels the whole book of an instrument, and says it.
    ///
    /// A level of no size is none.
    mutating func publishImage(
        _ levels: [BookLevelChange], of index: InstrumentIndex, venueTime: Timestamp?, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        trackers[index.offset].book.replace(levels)
        trackers[index.offset].publishSnapshot(venueTime: venueTime, at: time, into: &output)
    }

    /// Applies the changes that lie at the end of the output's levels, and says them.
    ///
    /// - Returns: Whether the book is crossed for the second message in a row.
    @inline(__always)
    mutating func publishChanges(
        from start: Int, of index: InstrumentIndex, venueTime: Timestamp?, at time: Timestamp,
        into output: inout VenueOutput
    ) -> Bool {
        trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        return trackers[index.offset].publishDelta(
            from: start, venueTime: venueTime, at: time, into: &output)
    }
}

extension Book {
    /// Replaces both sides by levels in any order; one of no size is none.
    mutating func replace(_ levels: [BookLevelChange]) {
        var bids: [BookLevel] = []
        var asks: [BookLevel] = []
        for level in levels where level.size.rawValue > 0 {
            let row = BookLevel(price: level.price, size: level.size)
            if level.side == .bid { bids.append(row) } else { asks.append(row) }
        }
        replace(bids: bids, asks: asks)
    }
}
