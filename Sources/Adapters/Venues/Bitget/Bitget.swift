import Instruments

/// Bitget, www.bitget.com: spot and futures.
package enum Bitget {
    /// What is asked of it.
    ///
    /// Source: Bitget API documentation v2, "Websocket API": ten messages a second (more close the
    /// connection, and in the end the address), 240 requests to subscribe an hour and connection, 1,000
    /// channels a connection, 300 connections in 5 minutes, text `ping` every 30 s, closed after two minutes
    /// without one or after a day. Not confirmed: the limits of REST (10 a second are the least), the end of
    /// API v1 on 2025-11-28 and 4,096 bytes a message, which 50 topics are below. Its proof is that of the
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
        connections: ConnectionBounds(
            topics: 400, parts: 20, opening: RequestLimit(capacity: 10, refillEvery: 2_000_000_000),
            messages: MessageLimit(rate: RequestLimit(capacity: 5, refillEvery: 200_000_000)),
            lifetime: .seconds(86_400)),
        ping: .message,
        proof: .checksum(levels: SentLevelTexts.depth),
        auditsWholeBooks: false,
        saysMarkPrices: true,
        derivatives: [.indexPrice, .funding, .openInterest],
        countsContracts: false,
        instrumentList: "/public/symbols",
        history: BitgetHistory.route,
        tickers: { BitgetTickers.route($0) },
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { BitgetSession($0) })
}
