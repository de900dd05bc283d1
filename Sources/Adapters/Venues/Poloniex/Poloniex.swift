import Instruments

/// Poloniex spot, poloniex.com.
package enum Poloniex {
    /// What is asked of it.
    ///
    /// Sources: Poloniex, "Spot WebSocket" (a message at least every 30 s, 500 requests a second on a
    /// connection, 2,000 connections, the form of subscriptions and errors); a recording of 2022 for the
    /// channels. Not confirmed: that ten requests a second are the least that any public route allows
    /// (gocryptotrader has 200, and 30 of the list); two are asked.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "poloniex"),
        webSocketURL: "wss://ws.poloniex.com",
        restURL: "https://api.poloniex.com",
        scope: "poloniex",
        usualSymbols: ["BTC_USDT", "ETH_USDT"],
        isUsual: false,
        requests: RequestLimit(capacity: 10, refillEvery: 500_000_000),
        images: ImageLimit(perSecond: 5, burst: 50),
        topicsPerMessage: 50,
        connections: ConnectionBounds(
            topics: 400, parts: 20, opening: RequestLimit(capacity: 10, refillEvery: 1_000_000_000)),
        ping: .message,
        proof: .sequence,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        pairSeparator: "_",
        instrumentList: "/markets",
        history: PoloniexHistory.route,
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { PoloniexSession($0) })
}
