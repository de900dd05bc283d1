import Instruments

/// What Hyperliquid says of the instruments of one of its markets.
///
/// Sources: Hyperliquid, "Info endpoint, Perpetuals" and "Spot", "Tick and lot size", not confirmed: sizes
/// have `szDecimals` places; prices at most five significant digits and 6 − `szDecimals` places, 8 −
/// `szDecimals` on spot.
struct HyperliquidList {
    var isSpot = false
    var instruments: [Instrument] = []

    private struct Entry {
        var name = ""
        var places: Int64 = 0
        var index: Int64 = -1
        /// Of a pair: base and quote.
        var tokens: [Int64] = []
        var isDelisted = false
    }

    /// Reads `meta` or `spotMeta`, alone or before the state of its instruments; `nil` for another answer.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> HyperliquidList? {
        var universe: [Entry]?
        var tokens: [Entry]?
        var isOther = false
        let isFirstOfTwo = try scanner.take(0x5B)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "universe") {
                universe = try entries(&scanner)
            } else if scanner.equals(key, "tokens") {
                tokens = try entries(&scanner)
            } else {
                isOther = isOther || scanner.equals(key, "levels") || scanner.equals(key, "coin")
                try scanner.skip()
            }
        }
        if !isFirstOfTwo { try scanner.expectEnd() }
        guard let universe else {
            if isOther { return nil }
            throw .malformed
        }
        var list = HyperliquidList(isSpot: tokens != nil)
        if let tokens {
            let byIndex = Dictionary(tokens.map { ($0.index, $0) }) { first, _ in first }
            list.instruments = universe.compactMap { pair($0, byIndex, venue) }
        } else {
            list.instruments = universe.filter { !$0.isDelisted }.compactMap { perpetual($0, venue) }
        }
        return list
    }

    private static func entries(_ scanner: inout JSONScanner) throws(ScanError) -> [Entry] {
        var entries: [Entry] = []
        try scanner.array { scanner throws(ScanError) in
            var entry = Entry()
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "name") {
                    entry.name = scanner.string(try scanner.text()) ?? ""
                } else if scanner.equals(key, "szDecimals") {
                    entry.places = try scanner.integer()
                } else if scanner.equals(key, "index") {
                    entry.index = try scanner.integer()
                } else if scanner.equals(key, "tokens") {
                    try scanner.array { scanner throws(ScanError) in
                        entry.tokens.append(try scanner.integer())
                    }
                } else if scanner.equals(key, "isDelisted") {
                    entry.isDelisted = try scanner.bool()
                } else {
                    try scanner.skip()
                }
            }
            entries.append(entry)
        }
        return entries
    }

    /// Others than the venue may list perpetuals, with a name of theirs before a colon.
    private static func perpetual(_ entry: Entry, _ venue: Venue) -> Instrument? {
        let base = entry.name.split(separator: ":").last.map(String.init) ?? entry.name
        return instrument(entry.name, (base, "USDC"), .perpetual, sizePlaces: entry.places, of: 6, venue)
    }

    private static func pair(_ entry: Entry, _ tokens: [Int64: Entry], _ venue: Venue) -> Instrument? {
        guard entry.tokens.count == 2, let base = tokens[entry.tokens[0]],
            let quote = tokens[entry.tokens[1]]
        else { return nil }
        return instrument(entry.name, (base.name, quote.name), .spot, sizePlaces: base.places, of: 8, venue)
    }

    private static func instrument(
        _ symbol: String, _ assets: (base: String, quote: String), _ kind: InstrumentKind, sizePlaces: Int64,
        of places: Int64, _ venue: Venue
    ) -> Instrument? {
        guard !symbol.isEmpty, (0...18).contains(sizePlaces), let size = Scale(Int(sizePlaces)),
            let price = Scale(Int(max(0, places - sizePlaces)))
        else { return nil }
        // The step of a price follows its digits, so that there is no one tick.
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: assets.base),
            quote: Asset(rawValue: assets.quote), kind: kind, priceScale: price, sizeScale: size,
            lotSize: DecimalNumber(units: 1, scale: size))
    }
}
