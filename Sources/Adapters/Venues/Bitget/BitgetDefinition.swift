import Instruments

/// What Bitget says of an instrument.
///
/// Sizes are of the base asset everywhere, those of futures that are paid in it as well: a contract is one.
///
/// Source: Bitget API documentation v2, "Get Symbol Info" and "Get All Contracts"; not confirmed.
struct BitgetDefinition {
    private var texts: [String: String] = [:]
    private var numbers: [String: DecimalNumber] = [:]

    private static let names: Set<String> = ["symbol", "baseCoin", "quoteCoin", "symbolType"]
    private static let figures: Set<String> = [
        "pricePrecision", "quantityPrecision", "pricePlace", "volumePlace", "priceEndStep", "sizeMultiplier",
    ]

    /// Reads one element of `data` of a product's list; `nil` for one without a symbol.
    static func read(
        _ scanner: inout JSONScanner, _ product: String, _ venue: Venue
    ) throws(ScanError) -> Instrument? {
        var definition = BitgetDefinition()
        try scanner.object { scanner, key throws(ScanError) in
            guard let name = scanner.string(key) else { throw .malformed }
            if names.contains(name), try scanner.peek() == 0x22 {
                definition.texts[name] = scanner.string(try scanner.text())
            } else if figures.contains(name) {
                definition.numbers[name] = try scanner.anyDecimal()
            } else {
                try scanner.skip()
            }
        }
        return definition.instrument(product, venue)
    }

    private func instrument(_ product: String, _ venue: Venue) -> Instrument? {
        guard let id = texts["symbol"], !id.isEmpty, let base = texts["baseCoin"],
            let quote = texts["quoteCoin"]
        else { return nil }
        let price = scale("pricePrecision") ?? scale("pricePlace") ?? .zero
        let size = scale("quantityPrecision") ?? scale("volumePlace") ?? .zero
        // Steps of futures are told in units of the last place.
        let steps = numbers["priceEndStep"]?.normalized
        let ticks = steps.flatMap { $0.scale == .zero && $0.units > 0 ? $0.units : nil } ?? 1
        let lot = numbers["sizeMultiplier"]?.normalized ?? DecimalNumber(units: 1, scale: size)
        return Instrument(
            id: InstrumentID(venue: venue, symbol: BitgetSymbol(product: product, id: id).text),
            base: Asset(rawValue: base), quote: Asset(rawValue: quote),
            kind: kind(product), priceScale: price, sizeScale: max(size, lot.scale),
            tickSize: DecimalNumber(units: ticks, scale: price), lotSize: lot)
    }

    private func kind(_ product: String) -> InstrumentKind {
        if product == BitgetSymbol.spot { return .spot }
        return texts["symbolType"] == "delivery" ? .future : .perpetual
    }

    private func scale(_ name: String) -> Scale? {
        guard let number = numbers[name]?.normalized, number.scale == .zero, number.units <= 18 else {
            return nil
        }
        return Scale(Int(number.units))
    }
}
