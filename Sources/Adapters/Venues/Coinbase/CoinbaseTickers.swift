/// Coinbase's tickers of all markets: its list of products has their prices.
///
/// It has neither the best prices nor the highest and the lowest. Both interfaces have the same markets, so
/// that the list of Advanced Trade does for the Exchange, too.
///
/// Source: Coinbase Developer Documentation, "List Public Products" (a second old at the most), ten public
/// requests a second; read 2026-11.
enum CoinbaseTickers {
    static func route(_ configuration: VenueConfiguration) -> TickerRoute {
        TickerRoute(
            pages: [
                TickerPage(
                    url: configuration.restURL + "/api/v3/brokerage/market/products",
                    read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                        try scanner.member("products") { scanner throws(ScanError) in
                            try form.readArray(&scanner, into: &rows)
                        }
                    })
            ], period: 10_000_000_000)
    }

    private static let form = TickerForm([
        ("product_id", .symbol), ("price", .last), ("volume_24h", .baseVolume),
        ("approximate_quote_24h_volume", .quoteVolume), ("price_percentage_change_24h", .changePercent),
        ("alias", .alias),
    ])
}
