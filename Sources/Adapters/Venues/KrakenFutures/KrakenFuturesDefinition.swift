import Instruments

/// What Kraken Futures says of an instrument.
///
/// Source: Kraken, "Futures REST API, Get instruments", and a recording of 2021.
enum KrakenFuturesDefinition {
    /// The fields of one element that are read.
    private struct Row {
        var symbol = ""
        var type = ""
        var base: String?
        var quote: String?
        var tick: DecimalNumber?
        var contractSize: DecimalNumber?
        var precision: Int64 = 0
    }

    /// Reads one element of `instruments`; `nil` for one that is not traded, such as an index.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        let row = try fields(&scanner)
        guard !row.symbol.isEmpty, row.type.contains("futures"), let tick = row.tick?.normalized,
            tick.units > 0
        else { return nil }
        let assets = pair(row.symbol)
        let lot = step(row.precision)
        return Instrument(
            id: InstrumentID(venue: venue, symbol: row.symbol),
            base: Asset(rawValue: row.base ?? assets.base), quote: Asset(rawValue: row.quote ?? assets.quote),
            kind: kind(row.symbol), priceScale: tick.scale, sizeScale: lot?.scale ?? .zero, tickSize: tick,
            lotSize: lot, contractMultiplier: row.contractSize?.normalized,
            isInverse: row.type == "futures_inverse")
    }

    private static func fields(_ scanner: inout JSONScanner) throws(ScanError) -> Row {
        var row = Row()
        try scanner.object { scanner, key throws(ScanError) in
            if try scanner.takeNull() { return }
            if scanner.equals(key, "symbol") {
                // In small letters until 2022; the socket has always used capitals.
                row.symbol = scanner.string(try scanner.text())?.uppercased() ?? ""
            } else if scanner.equals(key, "type") {
                row.type = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "base") {
                row.base = scanner.string(try scanner.text())
            } else if scanner.equals(key, "quote") {
                row.quote = scanner.string(try scanner.text())
            } else if scanner.equals(key, "tickSize") {
                row.tick = try scanner.anyDecimal()
            } else if scanner.equals(key, "contractSize") {
                row.contractSize = try scanner.anyDecimal()
            } else if scanner.equals(key, "contractValueTradePrecision") {
                row.precision = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        return row
    }

    /// The smallest step of a size of so many decimal places; below zero it is so many whole digits.
    private static func step(_ precision: Int64) -> DecimalNumber? {
        guard precision < 0 else {
            return Scale(Int(clamping: precision)).map { DecimalNumber(units: 1, scale: $0) }
        }
        guard precision >= -18 else { return nil }
        return DecimalNumber(units: Scale.powers(Int(-precision)), scale: .zero)
    }

    /// The assets in `PI_XBTUSD` and `FI_XBTUSD_210924`, where the list does not name them.
    private static func pair(_ symbol: String) -> (base: String, quote: String) {
        let parts = symbol.split(separator: "_")
        guard parts.count >= 2, parts[1].count > 3 else { return (symbol, "") }
        return (String(parts[1].dropLast(3)), String(parts[1].suffix(3)))
    }

    /// P… is perpetual, F… has an expiry: `PI_`, `PF_`, `PV_`, `FI_`, `FF_`, `FV_`.
    private static func kind(_ symbol: String) -> InstrumentKind {
        symbol.hasPrefix("P") ? .perpetual : .future
    }
}
