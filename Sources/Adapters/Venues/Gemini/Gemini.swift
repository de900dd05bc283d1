import Instruments

/// Gemini, www.gemini.com, spot and perpetuals.
package enum Gemini {
    /// What is asked of it.
    ///
    /// It speaks "Market Data v2", which the venue keeps going beside a newer interface and documents as
    /// archived. Best bid and ask are not pushed there, and nothing proves its books.
    ///
    /// Sources: Gemini, developer documentation, "Market data, Version 2" (address, subscriptions, the first
    /// message has the books and the last 50 trades, `side` is the taker's, a trade has `event_id` and `tid`)
    /// and "Rate limit" (120 public requests a minute, one a second is recommended, five more wait, others
    /// are refused).
    package static let description = VenueDescription(
        venue: Venue(rawValue: "gemini"),
        webSocketURL: "wss://api.gemini.com",
        restURL: "https://api.gemini.com",
        scope: "gemini",
        usualSymbols: ["BTCUSD", "ETHUSD"],
        isUsual: false,
        requests: RequestLimit(capacity: 5, refillEvery: 1_000_000_000),
        images: ImageLimit(perSecond: 2, burst: 10),
        topicsPerMessage: 50,
        connections: ConnectionBounds(
            topics: 150, parts: 10, opening: RequestLimit(capacity: 5, refillEvery: 2_000_000_000)),
        ping: .frame,
        proof: .nothing,
        auditsWholeBooks: true,
        saysMarkPrices: false,
        countsContracts: false,
        instrumentList: "/symbols/details/all",
        history: GeminiHistory.route,
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { GeminiSession($0) })
}
