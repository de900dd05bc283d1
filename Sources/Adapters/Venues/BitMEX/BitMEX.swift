import Instruments

/// BitMEX, www.bitmex.com.
package enum BitMEX {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: BitMEX, "WebSocket API", "API explorer" and "Rate limits": 30 requests a minute
    /// without a key. Subscriptions are throttled with the budget of REST; five images a second are well
    /// within it, and a message of twenty topics is far below any limit. It closed on 2026-09-23 (seen in
    /// the trackers of nautilus_trader, #4552, and rotki, #12215).
    package static let description = VenueDescription(
        venue: Venue(rawValue: "bitmex"),
        webSocketURL: "wss://ws.bitmex.com",
        restURL: "https://www.bitmex.com",
        scope: "bitmex",
        usualSymbols: ["XBTUSD"],
        isUsual: false,
        closure: VenueClosure(day: "2026-09-23"),
        requests: RequestLimit(capacity: 15, refillEvery: 2_000_000_000),
        images: ImageLimit(perSecond: 5, burst: 50),
        topicsPerMessage: 20,
        connections: ConnectionBounds(
            topics: 400, parts: 5, opening: RequestLimit(capacity: 10, refillEvery: 1_000_000_000)),
        ping: .message,
        proof: .nothing,
        auditsWholeBooks: true,
        saysMarkPrices: true,
        derivatives: .all,
        countsContracts: true,
        instrumentList: "/instrument/active",
        history: BitMEXHistory.route,
        wording: { _ in VenueWording(times: .iso8601(fractionDigits: 3), trimsNumbers: true) },
        makeSession: { BitMEXSession($0) })
}
