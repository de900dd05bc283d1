import Instruments
import Venues

/// CoinGecko.
///
/// Source: CoinGecko API documentation, "Coins List with Market Data", "Coin Price by IDs" and "Common
/// Errors & Rate Limit", read 2026-11: a demo key in `x-cg-demo-api-key` gives some 30 requests a minute and
/// 10,000 a month, of which failed ones count; at most 250 coins a page.
package enum CoinGecko {
    /// Coins of a page, at most.
    package static let pageSize = 250

    package static let description = ProviderDescription(
        venue: Venue(rawValue: "coingecko"), address: "https://api.coingecko.com",
        key: .optional(header: "x-cg-demo-api-key", prefix: ""), monthly: 10_000, naming: .keys,
        batch: 100, pageSize: pageSize, maximumBytes: 2 << 20,
        path: { question in
            switch question {
            case .keys(let keys):
                "/api/v3/simple/price?ids=\(ProviderJSON.joined(keys))&vs_currencies=usd&precision=full"
                    + "&include_market_cap=true&include_24hr_vol=true&include_24hr_change=true"
                    + "&include_last_updated_at=true"
            case .list(let page):
                "/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=\(pageSize)"
                    + "&page=\(page)"
            case .codes: nil
            }
        },
        reading: { question, body throws(ProviderError) in
            if case .keys = question { try prices(body) } else { try markets(body) }
        })

    /// Reads `/coins/markets`: a list of objects with `id`, `symbol` and `name`.
    static func markets(_ body: [UInt8]) throws(ProviderError) -> [CoinQuote] {
        try ProviderJSON.read(body) { scanner throws(ScanError) in
            var quotes: [CoinQuote] = []
            try scanner.array { scanner throws(ScanError) in
                if let quote = try coin(&scanner) { quotes.append(quote) }
            }
            return quotes
        }
    }

    /// A coin; `nil` for one without a code or a name.
    private static func coin(_ scanner: inout JSONScanner) throws(ScanError) -> CoinQuote? {
        var (id, symbol, name): (String?, String?, String?)
        var quote = CoinQuote(id: "", symbol: Asset(rawValue: ""))
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.string(key) {
            case "id": id = try scanner.textOrNil()
            case "symbol": symbol = try scanner.textOrNil()
            case "name": name = try scanner.textOrNil()
            case "market_cap_rank": quote.rank = try scanner.rank()
            case "current_price": quote.price = try scanner.positive()
            case "market_cap": quote.marketCap = try scanner.positive()
            case "total_volume": quote.quoteVolume = try scanner.positive()
            case "high_24h": quote.high = try scanner.positive()
            case "low_24h": quote.low = try scanner.positive()
            case "price_change_percentage_24h": quote.change = try scanner.figure()
            case "circulating_supply": quote.circulatingSupply = try scanner.positive()
            case "total_supply": quote.totalSupply = try scanner.positive()
            case "max_supply": quote.maximumSupply = try scanner.positive()
            case "ath": quote.allTimeHigh = try scanner.positive()
            case "ath_date": quote.allTimeHighTime = try scanner.time()
            case "last_updated": quote.updated = try scanner.time()
            default: try scanner.skip()
            }
        }
        guard let id, let symbol, let name else { throw .malformed }
        guard !id.isEmpty, !symbol.isEmpty, !name.isEmpty else { return nil }
        (quote.id, quote.symbol, quote.name) = (id, Asset(rawValue: symbol.uppercased()), name)
        return quote
    }

    /// Reads `/simple/price`: an object of coins by key.
    ///
    /// It has no codes: those are known by the keys that were asked for.
    static func prices(_ body: [UInt8]) throws(ProviderError) -> [CoinQuote] {
        try ProviderJSON.read(body) { scanner throws(ScanError) in
            var quotes: [CoinQuote] = []
            try scanner.object { scanner, key throws(ScanError) in
                guard let id = scanner.string(key) else { throw .malformed }
                var quote = CoinQuote(id: id, symbol: Asset(rawValue: ""))
                try scanner.object { scanner, key throws(ScanError) in
                    switch scanner.string(key) {
                    case "usd": quote.price = try scanner.positive()
                    case "usd_market_cap": quote.marketCap = try scanner.positive()
                    case "usd_24h_vol": quote.quoteVolume = try scanner.positive()
                    case "usd_24h_change": quote.change = try scanner.figure()
                    case "last_updated_at": quote.updated = try scanner.seconds()
                    default: try scanner.skip()
                    }
                }
                quotes.append(quote)
            }
            return quotes
        }
    }
}
