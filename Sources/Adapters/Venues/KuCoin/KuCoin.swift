import Instruments

/// KuCoin spot, www.kucoin.com.
package enum KuCoin {
    /// What is asked of it.
    ///
    /// Sources: KuCoin API documentation, "WebSocket, Introduction" (a token and a connection for 24 hours, a
    /// ping every `pingInterval`, 18 s, answered within `pingTimeout`, 10 s) and "Rate limit" (100 messages
    /// in 10 s, 100 symbols a topic, 400 topics on a connection, 30 connections a minute; in 2025-03 the
    /// venue refused more than 300, ccxt #25450); gocryptotrader for the weights of REST: 2,000 units in
    /// 30 s, of which an image weighs 4; hummingbot for an interval of 18 s. Topics are not spread over
    /// connections: what is beyond is refused.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "kucoin"),
        webSocketURL: "wss://ws-api-spot.kucoin.com",
        restURL: "https://api.kucoin.com",
        scope: "kucoin",
        usualSymbols: ["BTC-USDT", "ETH-USDT"],
        isUsual: false,
        requests: RequestLimit(capacity: 20, refillEvery: 500_000_000),
        images: ImageLimit(perSecond: 2, burst: 20),
        topicsPerMessage: 100,
        connections: ConnectionBounds(
            topics: 300, parts: 25, opening: RequestLimit(capacity: 10, refillEvery: 3_000_000_000),
            messages: MessageLimit(rate: RequestLimit(capacity: 50, refillEvery: 200_000_000)),
            lifetime: .seconds(86_400)),
        ping: .message,
        silence: SilenceLimit(ping: .seconds(18), answer: .seconds(10)),
        proof: .sequence,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        pairSeparator: "-",
        instrumentList: "/symbols",
        history: KuCoinHistory.route,
        tickers: { KuCoinTickers.route($0) },
        wording: { _ in VenueWording(times: .milliseconds, tradeTimes: .nanoseconds) },
        makeSession: { KuCoinSession($0) })
}
