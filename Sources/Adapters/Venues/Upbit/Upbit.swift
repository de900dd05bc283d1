import Instruments

/// Upbit Korea, upbit.com.
package enum Upbit {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: Upbit, "WebSocket usage guide" (formats, one list of types and codes a
    /// connection, `PING` answered by `{"status":"UP"}`, closed after 120 s without a message), "Orderbook"
    /// (each message is the whole book of up to 30 levels a side), "Trade", "Ticker", "Candle"; "Rate
    /// limits": ten requests a second to each group of routes, five messages a second and 100 a minute on a
    /// connection.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "upbit"),
        webSocketURL: "wss://api.upbit.com",
        restURL: "https://api.upbit.com",
        scope: "upbit",
        usualSymbols: ["KRW-BTC", "KRW-ETH"],
        isUsual: false,
        requests: RequestLimit(capacity: 5, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 4, burst: 4),
        topicsPerMessage: 500,
        ping: .message,
        proof: .nothing,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        // A dash stands between quote and base, in this order.
        instrumentList: "/v1/market/all",
        history: UpbitHistory.route,
        wording: { _ in VenueWording(times: .milliseconds, trimsNumbers: true) },
        makeSession: { UpbitSession($0) })
}
