import Instruments

/// OKX, www.okx.com: spot, perpetuals, futures and options.
package enum OKX {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: OKX API guide v5, "WebSocket" (three connections a second, 480 requests to
    /// subscribe or unsubscribe an hour and connection, 64 KB a message, closed after 30 s of silence),
    /// "Order book channel", "Get instruments" and "Get order book" (40 requests in 2 s), "Get trades history"
    /// (20 in 2 s); "Order book channels checksum field deprecation", 2026-05-21. Its proof is that of the
    /// weakest generation that is read: recordings from before `seqId`.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "okx"),
        webSocketURL: "wss://ws.okx.com:8443",
        restURL: "https://www.okx.com",
        scope: "okx",
        usualSymbols: ["BTC-USDT", "ETH-USDT"],
        isUsual: false,
        requests: RequestLimit(capacity: 10, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 1, burst: 50),
        topicsPerMessage: 50,
        ping: .message,
        proof: .checksum(levels: SentLevelTexts.depth),
        auditsWholeBooks: false,
        saysMarkPrices: true,
        countsContracts: true,
        pairSeparator: "-",
        instrumentList: "/public/instruments",
        history: OKXHistory.route,
        wording: { _ in VenueWording(times: .milliseconds, trimsNumbers: true) },
        makeSession: { OKXSession($0) })
}
