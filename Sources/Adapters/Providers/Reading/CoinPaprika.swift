import Instruments
import Venues

/// CoinPaprika, without a key.
///
/// Source: CoinPaprika API documentation, "Tickers for all active coins" and "Rate limits", read 2026-11: the
/// free plan has 20,000 requests a month and no history; one answer has all coins of the plan.
enum CoinPaprika {
    static let description = ProviderDescription(
        venue: Venue(rawValue: "coinpaprika"), address: "https://api.coinpaprika.com", key: .none,
        monthly: 20_000, naming: .list, batch: 0, pageSize: 10_000, maximumBytes: 16 << 20,
        path: { question in
            if case .list(page: 1) = question { "/v1/tickers?quotes=USD" } else { nil }
        },
        reading: { _, body throws(ProviderError) in try tickers(body) })

    /// Reads `/v1/tickers`: a list of objects with `id`, `symbol`, `name` and `quotes`.
    static func tickers(_ body: [UInt8]) throws(ProviderError) -> [CoinQuote] {
        try ProviderJSON.read(body) { scanner throws(ScanError) in
            var quotes: [CoinQuote] = []
            try scanner.array { scanner throws(ScanError) in
                if let quote = try coin(&scanner) { quotes.append(quote) }
            }
            return quotes
        }
    }

    private static func coin(_ scanner: inout JSONScanner) throws(ScanError) -> CoinQuote? {
        var (id, symbol, name): (String?, String?, String?)
        var quote = CoinQuote(id: "", symbol: Asset(rawValue: ""))
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.string(key) {
            case "id": id = try scanner.textOrNil()
            case "symbol": symbol = try scanner.textOrNil()
            case "name": name = try scanner.textOrNil()
            case "rank": quote.rank = try scanner.rank()
            case "circulating_supply": quote.circulatingSupply = try scanner.positive()
            case "total_supply": quote.totalSupply = try scanner.positive()
            case "max_supply": quote.maximumSupply = try scanner.positive()
            case "first_data_at": quote.firstSeen = try scanner.time()
            case "last_updated": quote.updated = try scanner.time()
            case "quotes":
                try scanner.object { scanner, key throws(ScanError) in
                    guard scanner.equals(key, "USD") else { return try scanner.skip() }
                    try dollars(&scanner, &quote)
                }
            default: try scanner.skip()
            }
        }
        guard let id, let symbol, let name else { throw .malformed }
        guard !id.isEmpty, !symbol.isEmpty, !name.isEmpty else { return nil }
        (quote.id, quote.symbol, quote.name) = (id, Asset(rawValue: symbol.uppercased()), name)
        // `btc-bitcoin`: the code, then the name.
        quote.slug = id.firstIndex(of: "-").map { String(id[id.index(after: $0)...]) }
        return quote
    }

    private static func dollars(
        _ scanner: inout JSONScanner, _ quote: inout CoinQuote
    ) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.string(key) {
            case "price": quote.price = try scanner.positive()
            case "volume_24h": quote.quoteVolume = try scanner.positive()
            case "market_cap": quote.marketCap = try scanner.positive()
            case "percent_change_24h": quote.change = try scanner.figure()
            case "ath_price": quote.allTimeHigh = try scanner.positive()
            case "ath_date": quote.allTimeHighTime = try scanner.time()
            default: try scanner.skip()
            }
        }
    }
}
