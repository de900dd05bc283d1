import Instruments

/// Hyperliquid, hyperliquid.xyz: perpetuals and spot.
package enum Hyperliquid {
    /// What is asked of it.
    ///
    /// It has past candles and recent trades too, but only by POST, which ``HistoryRoute`` does not do.
    ///
    /// Source: Hyperliquid, "Rate limits and user limits": weight 1,200 a minute by address, of which an
    /// image weighs 2 and a list 20; 1,000 subscriptions, 2,000 messages a minute, connections 100 there and
    /// 10 in clients. Not confirmed: "Subscriptions", "Timeouts and heartbeats" (closed after 60 s without a
    /// message), "Info endpoint"; tardis-node takes `B` for a taker that bought, too.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "hyperliquid"),
        webSocketURL: "wss://api.hyperliquid.xyz",
        restURL: "https://api.hyperliquid.xyz",
        scope: "hyperliquid",
        usualSymbols: ["BTC", "ETH"],
        isUsual: false,
        requests: RequestLimit(capacity: 10, refillEvery: 500_000_000),
        images: ImageLimit(perSecond: 5, burst: 20),
        topicsPerMessage: 1,
        connections: ConnectionBounds(
            topics: 250, parts: 4, opening: RequestLimit(capacity: 5, refillEvery: 4_000_000_000),
            messages: MessageLimit(
                rate: RequestLimit(capacity: 200, refillEvery: 35_000_000), isOfAddress: true)),
        ping: .message,
        proof: .nothing,
        auditsWholeBooks: false,
        saysMarkPrices: true,
        derivatives: [.indexPrice, .funding, .openInterest],
        countsContracts: false,
        instrumentList: "/info",
        wording: { _ in VenueWording(times: .milliseconds, trimsNumbers: true) },
        makeSession: { HyperliquidSession($0) })

    /// Whether a symbol is of the spot market: a pair, or a number such as `@107`.
    package static func isSpot(_ symbol: String) -> Bool { symbol.contains("/") || symbol.hasPrefix("@") }
}
