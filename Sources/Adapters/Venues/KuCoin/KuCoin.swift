import Instruments

/// KuCoin spot, www.kucoin.com.
package enum KuCoin {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: KuCoin API documentation, "WebSocket, Introduction" (a token for 24 hours, a ping
    /// every 18 s, 100 messages in 10 s, 400 topics on a connection, 100 symbols a topic), "Orderbook -
    /// Increment", "Trade", "Ticker", "Get Public Token", "Get All Symbols", "Get Part OrderBook", "Get Klines"
    /// and "Rate limit": 2,000 units of weight in 30 s, of which an image weighs 2 to 4.
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
        ping: .message,
        proof: .sequence,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        pairSeparator: "-",
        instrumentList: "/symbols",
        history: KuCoinHistory.route,
        wording: { _ in VenueWording(times: .milliseconds, tradeTimes: .nanoseconds) },
        makeSession: { KuCoinSession($0) })
}
