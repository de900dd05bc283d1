import Instruments

/// What Bybit says of an instrument.
///
/// Sources: Bybit, "V5 API, Get instruments info", not confirmed; "API V2, Query symbol", as in
/// recordings of 2021.
enum BybitDefinition {
    /// Reads a list of instruments.
    static func readList(
        _ scanner: inout JSONScanner, _ venue: Venue
    ) throws(ScanError) -> [Instrument] {
        var instruments: [Instrument] = []
        try scanner.array { scanner throws(ScanError) in
            if let instrument = try read(&scanner, venue) { instruments.append(instrument) }
        }
        return instruments
    }

    /// Reads one; `nil` for one without a symbol.
    private static func read(
        _ scanner: inout JSONScanner, _ venue: Venue
    ) throws(ScanError) -> Instrument? {
        var symbol: String?
        var (base, quote) = ("", "")
        var contract = ""
        var isOld = false
        var (tick, lot): (DecimalNumber?, DecimalNumber?)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol") || scanner.equals(key, "name") {
                isOld = scanner.equals(key, "name")
                symbol = scanner.string(try scanner.text())
            } else if scanner.equals(key, "baseCoin") || scanner.equals(key, "base_currency") {
                base = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "quoteCoin") || scanner.equals(key, "quote_currency") {
                quote = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "contractType"), try scanner.peek() == 0x22 {
                contract = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "priceFilter") || scanner.equals(key, "price_filter") {
                tick = try number("tickSize", or: "tick_size", in: &scanner)
            } else if scanner.equals(key, "lotSizeFilter") || scanner.equals(key, "lot_size_filter") {
                lot = try lotSize(&scanner)
            } else {
                try scanner.skip()
            }
        }
        guard let symbol, !symbol.isEmpty else { return nil }
        // V2 lists contracts only; those that have an expiry end in its month and year.
        let isDated = symbol.last?.isNumber ?? false
        if isOld { contract = (quote == "USD" ? "Inverse" : "Linear") + (isDated ? "Futures" : "Perpetual") }
        let isInverse = contract.hasPrefix("Inverse")
        let one = DecimalNumber(units: 1, scale: .zero)
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: kind(contract), priceScale: tick?.scale ?? .zero,
            sizeScale: lot?.scale ?? .zero, tickSize: tick, lotSize: lot,
            // Sizes of inverse contracts are US dollars, those of linear ones units of the base asset.
            contractMultiplier: isInverse ? one : nil, isInverse: isInverse)
    }

    private static func kind(_ contract: String) -> InstrumentKind {
        if contract.hasSuffix("Perpetual") { return .perpetual }
        return contract.isEmpty ? .spot : .future
    }

    /// The step of sizes: `qtyStep` of contracts, `basePrecision` of spot.
    private static func lotSize(_ scanner: inout JSONScanner) throws(ScanError) -> DecimalNumber? {
        let filter = scanner.index
        let step = try number("qtyStep", or: "qty_step", in: &scanner)
        if step != nil { return step }
        scanner.index = filter
        return try number("basePrecision", or: "basePrecision", in: &scanner)
    }

    /// A number above zero under either name of an object.
    private static func number(
        _ name: StaticString, or other: StaticString, in scanner: inout JSONScanner
    ) throws(ScanError) -> DecimalNumber? {
        var number: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, name) || scanner.equals(key, other) else { return try scanner.skip() }
            number = try scanner.anyDecimal()?.normalized
        }
        return number.flatMap { $0.units > 0 ? $0 : nil }
    }
}
