import Instruments

/// What Crypto.com says of an instrument.
///
/// Source: Crypto.com, "Exchange API v1, public/get-instruments", not confirmed, and the same of v2.
enum CryptoComDefinition {
    /// Reads one row; `nil` for one without a symbol, for an index, or for what is not traded any more.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var (symbol, base, quote) = (String?.none, String?.none, String?.none)
        var type = "CCY_PAIR"
        var places: (price: Int64, size: Int64) = (0, 0)
        var steps: (price: DecimalNumber?, size: DecimalNumber?)
        var isTraded = true
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol") || scanner.equals(key, "instrument_name") {
                symbol = scanner.string(try scanner.text())
            } else if scanner.equals(key, "base_ccy") || scanner.equals(key, "base_currency") {
                base = scanner.string(try scanner.text())
            } else if scanner.equals(key, "quote_ccy") || scanner.equals(key, "quote_currency") {
                quote = scanner.string(try scanner.text())
            } else if scanner.equals(key, "inst_type") {
                type = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "quote_decimals") || scanner.equals(key, "price_decimals") {
                places.price = try scanner.integer()
            } else if scanner.equals(key, "quantity_decimals") {
                places.size = try scanner.integer()
            } else if scanner.equals(key, "price_tick_size") {
                steps.price = try scanner.anyDecimal()
            } else if scanner.equals(key, "qty_tick_size") {
                steps.size = try scanner.anyDecimal()
            } else if scanner.equals(key, "tradable") {
                isTraded = try scanner.bool()
            } else {
                try scanner.skip()
            }
        }
        guard let symbol, !symbol.isEmpty, let base, let quote, isTraded, let kind = kind(type),
            let price = steps.price?.normalized.scale ?? Scale(Int(places.price)),
            let size = steps.size?.normalized.scale ?? Scale(Int(places.size))
        else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: kind, priceScale: price, sizeScale: size,
            tickSize: steps.price?.normalized ?? DecimalNumber(units: 1, scale: price),
            lotSize: steps.size?.normalized ?? DecimalNumber(units: 1, scale: size))
    }

    private static func kind(_ type: String) -> InstrumentKind? {
        switch type {
        case "CCY_PAIR": .spot
        case "PERPETUAL_SWAP": .perpetual
        case "FUTURE": .future
        default: nil
        }
    }
}
