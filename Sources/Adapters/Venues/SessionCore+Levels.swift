import Instruments
import MarketData

extension SessionCore {
    /// Reads levels to the end of an output's, again at finer scales until all numbers fit.
    mutating func readingAgain(
        _ index: InstrumentIndex, into output: inout VenueOutput,
        _ body: (
            (price: DecimalForm, size: DecimalForm), inout [BookLevelChange]
        ) throws(ScanError) -> Void
    ) throws(ScanError) {
        let start = output.levels.count
        // Each turn adds places, of which there are at most 18 for prices and 18 for sizes.
        for _ in 0...36 {
            do throws(ScanError) {
                return try body(forms[index.offset], &output.levels)
            } catch {
                output.levels.removeLast(output.levels.count - start)
                guard refine(index, after: error) else { throw error }
            }
        }
        throw .malformed
    }

    /// Makes the levels at the end of an output's the whole book, and says it.
    mutating func takeWholeBook(
        _ index: InstrumentIndex, from start: Int, venueTime: Timestamp?, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        var sides: (bids: [BookLevel], asks: [BookLevel]) = ([], [])
        for level in output.levels[start...] {
            let level = (level.side, BookLevel(price: level.price, size: level.size))
            if level.0 == .bid { sides.bids.append(level.1) } else { sides.asks.append(level.1) }
        }
        output.levels.removeLast(output.levels.count - start)
        trackers[index.offset].book.replace(bids: sides.bids, asks: sides.asks)
        trackers[index.offset].publishSnapshot(venueTime: venueTime, at: time, into: &output)
    }

    /// Applies the levels at the end of an output's, and says them.
    ///
    /// - Returns: Whether the book is crossed for the second message in a row and has to be lost.
    mutating func takeBookChanges(
        _ index: InstrumentIndex, from start: Int, venueTime: Timestamp?, at time: Timestamp,
        into output: inout VenueOutput
    ) -> Bool {
        trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        return trackers[index.offset].publishDelta(
            from: start, venueTime: venueTime, at: time, into: &output)
    }
}

extension [BookLevelChange] {
    /// Adds a level that was read; one without a price, or of less than nothing, is none.
    mutating func add(
        _ side: BookSide, _ price: ScannedDecimal, _ size: ScannedDecimal
    ) throws(ScanError) {
        guard price.units > 0, size.units >= 0 else { throw .malformed }
        append(BookLevelChange(side: side, price: Price(price.units), size: Quantity(size.units)))
    }
}

extension JSONScanner {
    /// Reads `[["price","size",…],…]`; further elements of a level are skipped, and `null` is no level.
    mutating func levelPairs(
        _ side: BookSide, _ forms: (price: DecimalForm, size: DecimalForm),
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try takeNull() { return }
        try array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.decimal(forms.price)
            try scanner.expect(0x2C)
            let size = try scanner.decimal(forms.size)
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            try levels.add(side, price, size)
        }
    }

    /// A time as ISO 8601 in quotes; `nil` for one that is none.
    mutating func isoTime() throws(ScanError) -> Timestamp? {
        guard try peek() == 0x22 else {
            try skip()
            return nil
        }
        let text = try text()
        return Timestamp(iso8601: bytes(text))
    }

    /// A text in quotes; `nil` for anything else.
    mutating func textIfAny() throws(ScanError) -> JSONText? {
        guard try peek() == 0x22 else {
            try skip()
            return nil
        }
        return try text()
    }
}
