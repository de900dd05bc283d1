import Instruments

/// Hyperliquid, hyperliquid.xyz: perpetuals and spot.
package enum Hyperliquid {
    /// What is asked of it.
    ///
    /// It has past candles and recent trades too, but only by POST, which ``HistoryRoute`` does not do.
    ///
    /// Sources, read 2026-11: Hyperliquid, "API, WebSocket, Subscriptions" (`l2Book`, `trades`, `bbo`,
    /// `candle`, `activeAssetCtx`), "Timeouts and heartbeats" (closed after 60 s without a message), "Info
    /// endpoint" (`meta`, `spotMeta`, `l2Book`), "Tick and lot size", "Rate limits": weight 1,200 a minute by
    /// address, of which an image weighs 2 and a list 20; 1,000 subscriptions and 2,000 messages a minute.
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
        ping: .message,
        proof: .nothing,
        auditsWholeBooks: false,
        saysMarkPrices: true,
        countsContracts: false,
        instrumentList: "/info",
        wording: { _ in VenueWording(times: .milliseconds, trimsNumbers: true) },
        makeSession: { HyperliquidSession($0) })

    /// Whether a symbol is of the spot market: a pair, or a number such as `@107`.
    static func isSpot(_ symbol: String) -> Bool { symbol.contains("/") || symbol.hasPrefix("@") }
}
