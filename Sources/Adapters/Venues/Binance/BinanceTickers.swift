/// Binance's tickers of all markets.
///
/// `!miniTicker@arr` brings each second what changed in it; `!ticker@arr`, which has bid and ask as well, is
/// to end (changelog of 2025-11-14, ccxt #28007). The page is the beginning, and what proves that nothing was
/// left out.
///
/// Source: Binance, "Spot API, WebSocket Streams, All Market Mini Tickers Stream", "24hr ticker price change
/// statistics" (80 units of weight for all symbols), "USDⓈ-M futures" (40 units) and "COIN-M futures" (40),
/// read 2026-11. COIN-M counts contracts as its volume, and what those are worth in the coin as its
/// `baseVolume`.
enum BinanceTickers {
    /// The route of a market.
    static func route(_ market: BinanceMarket, _ configuration: VenueConfiguration) -> TickerRoute {
        // USD-M brings tickers where it brings trades.
        let root = market.roots.last ?? ""
        return TickerRoute(
            pages: [
                TickerPage(
                    url: configuration.restURL + market.path + "ticker/24hr"
                        + (market == .spot ? "?type=MINI" : ""),
                    read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                        try page(market).readArray(&scanner, into: &rows)
                    })
            ], period: 60_000_000_000,
            stream: TickerStream(
                url: configuration.webSocketURL + root + "/ws/!miniTicker@arr", silentPeriod: 10_000_000_000,
                read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                    // Answers of the connection are objects.
                    guard try scanner.peek() == 0x5B else { return try scanner.skip() }
                    try stream(market).readArray(&scanner, into: &rows)
                }))
    }

    private static func page(_ market: BinanceMarket) -> TickerForm {
        TickerForm([
            ("symbol", .symbol), ("lastPrice", .last), ("openPrice", .open), ("highPrice", .high),
            ("lowPrice", .low), ("closeTime", .time),
            (market == .coinm ? "baseVolume" : "volume", .baseVolume),
            ("quoteVolume", .quoteVolume),
        ])
    }

    private static func stream(_ market: BinanceMarket) -> TickerForm {
        TickerForm(
            [("s", .symbol), ("c", .last), ("o", .open), ("h", .high), ("l", .low), ("E", .time)],
            and: market == .coinm ? [("q", .baseVolume)] : [("v", .baseVolume), ("q", .quoteVolume)])
    }
}
