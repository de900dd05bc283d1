import Instruments

/// What Gate says of an instrument.
///
/// Source: Gate, "API v4, List all currency pairs supported" and "List all futures contracts";
/// the form of the former is a recording's, that of the latter not confirmed.
enum GateioDefinition {
    /// The fields of one element that are read.
    private struct Row {
        var symbol: String?
        var (base, quote): (String?, String?)
        /// Of spot: digits behind the point.
        var (priceDigits, sizeDigits): (Int64?, Int64?)
        /// Of futures.
        var (tick, multiplier): (DecimalNumber?, DecimalNumber?)
        var isInverse = false
    }

    /// Reads one element of either list; `nil` for one that cannot be understood.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var row = Row()
        try scanner.object { scanner, key throws(ScanError) in
            if try scanner.takeNull() { return }
            try readField(&scanner, key, into: &row)
        }
        guard let symbol = row.symbol, !symbol.isEmpty else { return nil }
        return row.tick == nil ? pair(symbol, row, venue) : contract(symbol, row, venue)
    }

    private static func readField(
        _ scanner: inout JSONScanner, _ key: JSONText, into row: inout Row
    ) throws(ScanError) {
        if scanner.equals(key, "id") || scanner.equals(key, "name") {
            row.symbol = scanner.string(try scanner.scalarText())
        } else if scanner.equals(key, "base") {
            row.base = scanner.string(try scanner.text())
        } else if scanner.equals(key, "quote") {
            row.quote = scanner.string(try scanner.text())
        } else if scanner.equals(key, "precision") {
            row.priceDigits = try scanner.integer()
        } else if scanner.equals(key, "amount_precision") {
            row.sizeDigits = try scanner.integer()
        } else if scanner.equals(key, "order_price_round") {
            row.tick = try scanner.anyDecimal()
        } else if scanner.equals(key, "quanto_multiplier") {
            row.multiplier = try scanner.anyDecimal()
        } else if scanner.equals(key, "type") {
            row.isInverse = scanner.string(try scanner.scalarText()) == "inverse"
        } else {
            try scanner.skip()
        }
    }

    private static func pair(_ symbol: String, _ row: Row, _ venue: Venue) -> Instrument? {
        guard let base = row.base, let quote = row.quote, let priceDigits = row.priceDigits,
            let sizeDigits = row.sizeDigits, let price = Scale(Int(clamping: priceDigits)),
            let size = Scale(Int(clamping: sizeDigits))
        else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: .spot, priceScale: price, sizeScale: size,
            tickSize: DecimalNumber(units: 1, scale: price), lotSize: DecimalNumber(units: 1, scale: size))
    }

    /// Sizes are contracts: of `quanto_multiplier` units of the base asset, or of one unit of the quote asset
    /// where it is inverse.
    private static func contract(_ symbol: String, _ row: Row, _ venue: Venue) -> Instrument? {
        let parts = symbol.split(separator: "_")
        guard let tick = row.tick?.normalized, tick.units > 0, parts.count >= 2 else { return nil }
        let one = DecimalNumber(units: 1, scale: .zero)
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: String(parts[0])),
            quote: Asset(rawValue: String(parts[1])), kind: parts.count > 2 ? .future : .perpetual,
            priceScale: tick.scale, sizeScale: .zero, tickSize: tick, lotSize: one,
            contractMultiplier: row.isInverse ? one : row.multiplier?.normalized, isInverse: row.isInverse)
    }
}
