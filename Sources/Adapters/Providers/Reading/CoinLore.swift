import Instruments
import Venues

/// CoinLore, without a key.
///
/// Source: CoinLore API documentation, "Tickers" and "Ticker (specific coin)", read 2026-11: pages of 100
/// under `data`, chosen coins by their numbers as a list; numbers are quoted or bare.
enum CoinLore {
    static let pageSize = 100

    static let description = ProviderDescription(
        venue: Venue(rawValue: "coinlore"), address: "https://api.coinlore.net", key: .none,
        monthly: nil, naming: .keys, batch: 50, pageSize: pageSize, maximumBytes: 2 << 20,
        path: { question in
            switch question {
            case .keys(let keys): "/api/ticker/?id=\(ProviderJSON.joined(keys))"
            case .list(let page): "/api/tickers/?start=\((page - 1) * pageSize)&limit=\(pageSize)"
            case .codes: nil
            }
        },
        reading: { _, body throws(ProviderError) in try tickers(body) })

    /// Reads `/api/tickers/`, an object with a list under `data`, and `/api/ticker/`, the list alone.
    static func tickers(_ body: [UInt8]) throws(ProviderError) -> [CoinQuote] {
        try ProviderJSON.read(body) { scanner throws(ScanError) in
            if try scanner.peek() == 0x5B { return try list(&scanner) }
            var quotes: [CoinQuote]?
            var time: Timestamp?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "data") {
                    quotes = try list(&scanner)
                } else if scanner.equals(key, "info") {
                    time = try told(&scanner)
                } else {
                    try scanner.skip()
                }
            }
            guard var quotes else { throw .malformed }
            for place in quotes.indices { quotes[place].updated = time }
            return quotes
        }
    }

    private static func told(_ scanner: inout JSONScanner) throws(ScanError) -> Timestamp? {
        var time: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "time") { time = try scanner.seconds() } else { try scanner.skip() }
        }
        return time
    }

    private static func list(_ scanner: inout JSONScanner) throws(ScanError) -> [CoinQuote] {
        var quotes: [CoinQuote] = []
        try scanner.array { scanner throws(ScanError) in
            if let quote = try coin(&scanner) { quotes.append(quote) }
        }
        return quotes
    }

    private static func coin(_ scanner: inout JSONScanner) throws(ScanError) -> CoinQuote? {
        var (id, symbol, name): (String?, String?, String?)
        var quote = CoinQuote(id: "", symbol: Asset(rawValue: ""))
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.string(key) {
            case "id": id = scanner.string(try scanner.scalarText())
            case "symbol": symbol = try scanner.textOrNil()
            case "name": name = try scanner.textOrNil()
            case "nameid": quote.slug = try scanner.textOrNil()
            case "rank": quote.rank = try scanner.rank()
            case "price_usd": quote.price = try scanner.positive()
            case "percent_change_24h": quote.change = try scanner.figure()
            case "market_cap_usd": quote.marketCap = try scanner.positive()
            case "volume24": quote.quoteVolume = try scanner.positive()
            case "csupply": quote.circulatingSupply = try scanner.positive()
            case "tsupply": quote.totalSupply = try scanner.positive()
            case "msupply": quote.maximumSupply = try scanner.positive()
            default: try scanner.skip()
            }
        }
        guard let id, let symbol, let name else { throw .malformed }
        guard !id.isEmpty, !symbol.isEmpty, !name.isEmpty else { return nil }
        (quote.id, quote.symbol, quote.name) = (id, Asset(rawValue: symbol.uppercased()), name)
        return quote
    }
}
