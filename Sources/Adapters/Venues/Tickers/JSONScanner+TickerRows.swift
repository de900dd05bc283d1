import Instruments
import MarketData

extension JSONScanner {
    /// Reads one member of an object, which has to be there.
    mutating func member(
        _ name: StaticString, _ body: (inout JSONScanner) throws(ScanError) -> Void
    ) throws(ScanError) {
        var isThere = false
        try object { scanner, key throws(ScanError) in
            guard scanner.equals(key, name) else { return try scanner.skip() }
            isThere = true
            try body(&scanner)
        }
        guard isThere else { throw .malformed }
    }

    /// Walks an array of rows; one that cannot be read costs only itself.
    mutating func tickerRows(
        into rows: inout TickerRows,
        _ read: (inout JSONScanner) throws(ScanError) -> MarketTicker?
    ) throws(ScanError) {
        try array { scanner throws(ScanError) in
            try scanner.tickerRow(into: &rows) { scanner throws(ScanError) in try read(&scanner) }
        }
    }

    /// Reads one row, or skips it and counts it.
    ///
    /// - Throws: ``ScanError`` where not even its end can be found.
    mutating func tickerRow(
        into rows: inout TickerRows,
        _ read: (inout JSONScanner) throws(ScanError) -> MarketTicker?
    ) throws(ScanError) {
        _ = try peek()
        let start = index
        do throws(ScanError) {
            if let ticker = try read(&self) { rows.tickers.append(ticker) }
        } catch {
            rows.unreadable += 1
            index = start
            try skip()
        }
    }

    /// A price without trailing zeros; `nil` for null, nothing or zero, by which venues say that there is
    /// none.
    mutating func price() throws(ScanError) -> DecimalNumber? {
        guard let number = try anyDecimal(), number.units != 0 else { return nil }
        guard number.units > 0 else { throw .malformed }
        return number.normalized
    }

    /// A volume; `nil` for null or nothing.
    mutating func volumeIfAny() throws(ScanError) -> Amount? {
        if try takeNull() { return nil }
        let text = try scalarText()
        guard text.count > 0 else { return nil }
        guard let amount = try? Amount(parsing: bytes(text)), !amount.isNegative else { throw .malformed }
        return amount
    }
}
