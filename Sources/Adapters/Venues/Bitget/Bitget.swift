import Instruments

/// Bitget, www.bitget.com: spot and futures.
package enum Bitget {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: Bitget API documentation v2, "Websocket API" (ten messages a second, 240
    /// requests to subscribe an hour and connection, 1,000 channels a connection, text `ping` every 30 s),
    /// "Depth Channel", "Get Symbol Info", "Get All Contracts", "Get OrderBook Depth" (20 requests a second),
    /// "Get Historical Candlestick" (20 a second), "Get Market Trades" (10 a second); the end of API v1 on
    /// 2025-11-28. A message of 50 topics is below the 4,096 bytes that it allows. Its proof is that of the
    /// weakest generation that is read: recordings of v1, which number nothing.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "bitget"),
        webSocketURL: "wss://ws.bitget.com",
        restURL: "https://api.bitget.com",
        scope: "bitget",
        usualSymbols: ["SPOT:BTCUSDT", "USDT-FUTURES:BTCUSDT"],
        isUsual: false,
        requests: RequestLimit(capacity: 10, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 1, burst: 50),
        topicsPerMessage: 50,
        ping: .message,
        proof: .checksum(levels: SentLevelTexts.depth),
        auditsWholeBooks: false,
        saysMarkPrices: true,
        countsContracts: false,
        instrumentList: "/public/symbols",
        history: BitgetHistory.route,
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { BitgetSession($0) })
}
