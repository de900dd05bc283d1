/// Bitget's tickers of all markets, a page for each product.
///
/// Source: Bitget API documentation v2, "Get Ticker Information" of spot and "Get All Tickers" of futures, 20
/// requests a second each; read 2026-11.
enum BitgetTickers {
    static func route(_ configuration: VenueConfiguration) -> TickerRoute {
        let spot = page("/api/v2/spot/market/tickers", BitgetSymbol.spot, "open", configuration)
        let futures = BitgetSymbol.futures.map { product in
            page("/api/v2/mix/market/tickers?productType=\(product)", product, "open24h", configuration)
        }
        return TickerRoute(pages: [spot] + futures, period: 5_000_000_000)
    }

    private static func page(
        _ path: String, _ product: String, _ open: StaticString, _ configuration: VenueConfiguration
    ) -> TickerPage {
        let form = TickerForm(
            [
                ("symbol", .symbol), ("lastPr", .last), ("bidPr", .bid), ("askPr", .ask), (open, .open),
                ("high24h", .high), ("low24h", .low), ("baseVolume", .baseVolume),
                ("quoteVolume", .quoteVolume), ("ts", .time),
            ], prefix: "\(product):")
        return TickerPage(
            url: configuration.restURL + path,
            read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                try scanner.bitgetData { scanner throws(ScanError) in
                    try form.readArray(&scanner, into: &rows)
                }
            })
    }
}
