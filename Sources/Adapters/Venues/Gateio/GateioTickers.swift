/// Gate's tickers of all markets.
///
/// It says how much prices changed in 24 hours and not what they were.
///
/// Source: Gate API v4, "Get currency pair ticker information" and "Get all futures trading statistics", and
/// "Rate limits" (200 requests in 10 s); read 2026-11.
enum GateioTickers {
    /// The route of a market.
    static func route(_ market: GateioMarket, _ configuration: VenueConfiguration) -> TickerRoute {
        let form = market == .spot ? spot : futures
        return TickerRoute(
            pages: [
                TickerPage(
                    url: configuration.restURL + market.path + "tickers",
                    read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                        try form.readArray(&scanner, into: &rows)
                    })
            ], period: 5_000_000_000)
    }

    private static let common: [(name: StaticString, field: TickerField)] = [
        ("last", .last), ("highest_bid", .bid), ("lowest_ask", .ask), ("high_24h", .high),
        ("low_24h", .low), ("change_percentage", .changePercent),
    ]
    private static let spot = TickerForm(
        common,
        and: [("currency_pair", .symbol), ("base_volume", .baseVolume), ("quote_volume", .quoteVolume)])
    private static let futures = TickerForm(
        common,
        and: [
            ("contract", .symbol), ("volume_24h_base", .baseVolume), ("volume_24h_quote", .quoteVolume),
        ])
}
