import Instruments

/// What Poloniex says of an instrument.
///
/// Source: Poloniex, "Spot API, Reference data, Symbol information", and a recording.
enum PoloniexDefinition {
    /// Reads one element of the list; `nil` for one that cannot be understood.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var (symbol, base, quote): (String?, String?, String?)
        var (price, size): (Int64, Int64) = (-1, -1)
        try scanner.object { scanner, key throws(ScanError) in
            if try scanner.takeNull() { return }
            if scanner.equals(key, "symbol") {
                symbol = scanner.string(try scanner.text())
            } else if scanner.equals(key, "baseCurrencyName") {
                base = scanner.string(try scanner.text())
            } else if scanner.equals(key, "quoteCurrencyName") {
                quote = scanner.string(try scanner.text())
            } else if scanner.equals(key, "symbolTradeLimit") {
                try scanner.object { scanner, key throws(ScanError) in
                    if scanner.equals(key, "priceScale") {
                        price = try scanner.integer()
                    } else if scanner.equals(key, "quantityScale") {
                        size = try scanner.integer()
                    } else {
                        try scanner.skip()
                    }
                }
            } else {
                try scanner.skip()
            }
        }
        guard let symbol, !symbol.isEmpty, let base, let quote, price >= 0, size >= 0,
            let priceScale = Scale(Int(clamping: price)), let sizeScale = Scale(Int(clamping: size))
        else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: .spot, priceScale: priceScale, sizeScale: sizeScale,
            tickSize: DecimalNumber(units: 1, scale: priceScale),
            lotSize: DecimalNumber(units: 1, scale: sizeScale))
    }
}
