/// OKX's tickers of all markets, a page for each kind of instrument that is listed whole.
///
/// Options are left out: they are asked for by family.
///
/// Source: OKX API guide v5, "Get tickers": 20 requests in 2 s; of derivatives `volCcy24h` is in the base
/// asset and `vol24h` counts contracts; read 2026-11.
enum OKXTickers {
    static func route(_ configuration: VenueConfiguration) -> TickerRoute {
        TickerRoute(
            pages: [
                page(.spot, spot, configuration), page(.swap, contracts, configuration),
                page(.futures, contracts, configuration),
            ], period: 5_000_000_000)
    }

    private static func page(
        _ kind: OKXKind, _ form: TickerForm, _ configuration: VenueConfiguration
    ) -> TickerPage {
        TickerPage(
            url: "\(configuration.restURL)/api/v5/market/tickers?instType=\(kind.rawValue)",
            read: { (scanner: inout JSONScanner, rows: inout TickerRows) throws(ScanError) in
                try scanner.okxData { scanner throws(ScanError) in
                    try form.readArray(&scanner, into: &rows)
                }
            })
    }

    private static let common: [(name: StaticString, field: TickerField)] = [
        ("instId", .symbol), ("last", .last), ("bidPx", .bid), ("askPx", .ask), ("open24h", .open),
        ("high24h", .high), ("low24h", .low), ("ts", .time),
    ]
    private static let spot = TickerForm(
        common, and: [("vol24h", .baseVolume), ("volCcy24h", .quoteVolume)])
    private static let contracts = TickerForm(common, and: [("volCcy24h", .baseVolume)])
}
