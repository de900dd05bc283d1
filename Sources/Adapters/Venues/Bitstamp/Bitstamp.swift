import Instruments

/// Bitstamp, www.bitstamp.net.
package enum Bitstamp {
    /// What is asked of it.
    ///
    /// It pushes neither tickers nor candles. Its changes carry times, which tell their order and not whether
    /// one is missing.
    ///
    /// Sources: Bitstamp, "WebSocket API v2" (address, subscriptions, channels, 0 is a purchase), read in
    /// copies; 400 requests a second and 10,000 in ten minutes as in api-evangelist/bitstamp (ccxt still has
    /// 8,000). Heartbeats and requests to reconnect are as its clients answer them.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "bitstamp"),
        webSocketURL: "wss://ws.bitstamp.net",
        restURL: "https://www.bitstamp.net",
        scope: "bitstamp",
        usualSymbols: ["btcusd", "ethusd"],
        isUsual: false,
        requests: RequestLimit(capacity: 20, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 4, burst: 20),
        topicsPerMessage: 1,
        connections: ConnectionBounds(
            topics: 200, parts: 20, opening: RequestLimit(capacity: 5, refillEvery: 2_000_000_000)),
        ping: .message,
        proof: .nothing,
        auditsWholeBooks: true,
        saysMarkPrices: false,
        countsContracts: false,
        instrumentList: "/markets/",
        history: BitstampHistory.route,
        wording: { _ in VenueWording(times: .microseconds) },
        makeSession: { BitstampSession($0) })
}
