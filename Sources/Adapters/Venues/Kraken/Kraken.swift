import Instruments

/// Kraken spot, www.kraken.com.
package enum Kraken {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: Kraken API documentation, "Spot WebSocket v1", "Spot WebSocket v2", "Book
    /// checksum" (ten levels a side) and "API rate limits": about one public request a second.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "kraken"),
        webSocketURL: "wss://ws.kraken.com",
        restURL: "https://api.kraken.com",
        scope: "kraken",
        usualSymbols: ["BTC/USD", "ETH/USD"],
        isUsual: true,
        options: [KrakenInterface.option],
        requests: RequestLimit(capacity: 10, refillEvery: 1_000_000_000),
        images: ImageLimit(perSecond: 5, burst: 50),
        topicsPerMessage: 50,
        connections: ConnectionBounds(
            topics: 400, parts: 20, opening: RequestLimit(capacity: 10, refillEvery: 5_000_000_000),
            messages: MessageLimit(rate: RequestLimit(capacity: 10, refillEvery: 100_000_000))),
        ping: .message,
        proof: .checksum(levels: 10),
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        pairSeparator: "/",
        instrumentList: "/AssetPairs",
        history: KrakenHistory.route,
        tickers: { KrakenTickers.route($0) },
        // Messages of v1 are arrays.
        wording: { $0 == 0x5B ? arrays : objects },
        makeSession: { KrakenSession($0) })

    private static let arrays = VenueWording(times: .seconds, namesTrades: false)
    private static let objects = VenueWording(times: .iso8601(fractionDigits: 6))
}
