/// Bybit's tickers of all markets of a category.
///
/// Source: Bybit, "V5 API, Get tickers", and "Rate limit rules" (600 requests in 5 s from an address); read
/// 2026-11. Of inverse contracts `volume24h` counts dollars and `turnover24h` the coin.
enum BybitTickers {
    /// The route of a category.
    static func route(_ category: BybitCategory, _ configuration: VenueConfiguration) -> TickerRoute {
        let isInverse = category == .inverse
        let form = TickerForm([
            ("symbol", .symbol), ("lastPrice", .last), ("bid1Price", .bid), ("ask1Price", .ask),
            ("prevPrice24h", .open), ("highPrice24h", .high), ("lowPrice24h", .low),
            ("volume24h", isInverse ? .quoteVolume : .baseVolume),
            ("turnover24h", isInverse ? .baseVolume : .quoteVolume),
        ])
        return TickerRoute(
            pages: [
                TickerPage(
                    url: "\(configuration.restURL)/v5/market/tickers?category=\(category.rawValue)",
                    read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                        try scanner.enterBybitResult()
                        try scanner.member("list") { scanner throws(ScanError) in
                            try form.readArray(&scanner, into: &rows)
                        }
                    })
            ], period: 5_000_000_000)
    }
}
