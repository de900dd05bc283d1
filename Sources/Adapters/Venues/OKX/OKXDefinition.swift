import Instruments

/// What OKX says of an instrument.
///
/// Source: OKX API guide v5, "Get instruments"; not confirmed.
struct OKXDefinition {
    private var texts: [String: String] = [:]

    private static let names: Set<String> = [
        "instId", "instType", "baseCcy", "quoteCcy", "settleCcy", "uly", "ctType", "state",
    ]

    private var tick: DecimalNumber?
    private var lot: DecimalNumber?
    private var contractValue: DecimalNumber?
    private var contractMultiplier: DecimalNumber?

    /// Reads one element of `data`; `nil` for what only tests the venue.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var definition = OKXDefinition()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "tickSz") {
                definition.tick = try scanner.anyDecimal()
            } else if scanner.equals(key, "lotSz") {
                definition.lot = try scanner.anyDecimal()
            } else if scanner.equals(key, "ctVal") {
                definition.contractValue = try scanner.anyDecimal()
            } else if scanner.equals(key, "ctMult") {
                definition.contractMultiplier = try scanner.anyDecimal()
            } else if let name = scanner.string(key), names.contains(name), try scanner.peek() == 0x22 {
                definition.texts[name] = scanner.string(try scanner.text())
            } else {
                try scanner.skip()
            }
        }
        return definition.instrument(venue)
    }

    private func instrument(_ venue: Venue) -> Instrument? {
        guard let symbol = texts["instId"], !symbol.isEmpty, texts["state"] != "test",
            let kind = texts["instType"].flatMap(OKXKind.init)
        else { return nil }
        let pair = pair(symbol, kind)
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: pair.base),
            quote: Asset(rawValue: pair.quote), kind: kind.kind, priceScale: tick?.normalized.scale ?? .zero,
            sizeScale: lot?.normalized.scale ?? .zero, tickSize: tick?.normalized, lotSize: lot?.normalized,
            contractMultiplier: kind == .spot ? nil : multiplier, isInverse: texts["ctType"] == "inverse")
    }

    /// The pair, which derivatives name as `uly`; options are paid in what they settle in.
    private func pair(_ symbol: String, _ kind: OKXKind) -> (base: String, quote: String) {
        let named = texts["uly"].flatMap { $0.isEmpty ? nil : $0 } ?? OKXKind.family(symbol)
        let parts = named.split(separator: "-").map(String.init)
        var (base, quote) = (parts.first ?? symbol, parts.count > 1 ? parts[1] : "")
        if kind == .spot {
            if let text = texts["baseCcy"], !text.isEmpty { base = text }
            if let text = texts["quoteCcy"], !text.isEmpty { quote = text }
        } else if kind == .option, let text = texts["settleCcy"], !text.isEmpty {
            quote = text
        }
        return (base, quote)
    }

    /// Units of the underlying in a contract, or its worth in the quote of an inverse one.
    private var multiplier: DecimalNumber? {
        guard let value = contractValue?.normalized else { return nil }
        guard let factor = contractMultiplier?.normalized else { return value }
        let (units, overflow) = value.units.multipliedReportingOverflow(by: factor.units)
        guard !overflow, let scale = Scale(value.scale.places + factor.scale.places) else { return nil }
        return DecimalNumber(units: units, scale: scale).normalized
    }
}
