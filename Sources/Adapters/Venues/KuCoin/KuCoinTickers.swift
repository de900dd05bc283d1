/// KuCoin's tickers of all markets.
///
/// Source: KuCoin API documentation, "Get All Tickers" (15 of 2,000 units in 30 s; made anew every 2 s);
/// read 2026-11.
enum KuCoinTickers {
    static func route(_ configuration: VenueConfiguration) -> TickerRoute {
        TickerRoute(
            pages: [
                TickerPage(
                    url: configuration.restURL + "/api/v1/market/allTickers",
                    read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                        try scanner.enterData()
                        try scanner.member("ticker") { scanner throws(ScanError) in
                            try form.readArray(&scanner, into: &rows)
                        }
                    })
            ], period: 5_000_000_000)
    }

    private static let form = TickerForm([
        ("symbol", .symbol), ("last", .last), ("buy", .bid), ("sell", .ask), ("changePrice", .change),
        ("high", .high), ("low", .low), ("vol", .baseVolume), ("volValue", .quoteVolume),
    ])
}
