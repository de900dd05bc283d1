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

extension JSONScanner {
    /// Reads levels that are pairs, `[["price","size"],…]`; further elements of a level are skipped.
    @inline(__always)
    mutating func levelPairs(
        _ side: BookSide, _ forms: InstrumentForms, into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        try array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.decimal(forms.price)
            try scanner.expect(0x2C)
            let size = try scanner.decimal(forms.size)
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            guard price.units > 0, size.units >= 0 else { throw .malformed }
            levels.append(
                BookLevelChange(side: side, price: Price(price.units), size: Quantity(size.units)))
        }
    }

    /// Reads levels that are objects, `[{"price":…,"qty":…},…]`, by the names of their two numbers.
    @inline(__always)
    mutating func levelObjects(
        _ side: BookSide, _ names: (price: StaticString, size: StaticString), _ forms: InstrumentForms,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        try array { scanner throws(ScanError) in
            var price: Int64 = 0
            var size: Int64 = -1
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, names.price) {
                    price = try scanner.decimal(forms.price).units
                } else if scanner.equals(key, names.size) {
                    size = try scanner.decimal(forms.size).units
                } else {
                    try scanner.skip()
                }
            }
            guard price > 0, size >= 0 else { throw .malformed }
            levels.append(BookLevelChange(side: side, price: Price(price), size: Quantity(size)))
        }
    }
}
