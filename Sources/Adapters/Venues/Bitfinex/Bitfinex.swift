import Instruments

/// Bitfinex, www.bitfinex.com: spot and linear perpetuals.
package enum Bitfinex {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: Bitfinex API documentation, "Public Channels" (25 channels on a connection, 20
    /// connections a minute), "General" (flags, info and error codes), "Books", "WebSocket Checksum" (25
    /// levels a side), "Trades", "Ticker", and of REST "Book" (240 requests a minute), "Trades" (15) and
    /// "Candles" (30).
    package static let description = VenueDescription(
        venue: Venue(rawValue: "bitfinex"),
        webSocketURL: "wss://api-pub.bitfinex.com",
        restURL: "https://api-pub.bitfinex.com",
        scope: "bitfinex",
        usualSymbols: ["tBTCUSD", "tETHUSD"],
        isUsual: false,
        requests: RequestLimit(capacity: 8, refillEvery: 5_000_000_000),
        images: ImageLimit(perSecond: 5, burst: 20),
        topicsPerMessage: 1,
        ping: .message,
        proof: .sequence,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        instrumentList: "/pub:list:pair:exchange,pub:list:pair:futures",
        history: BitfinexHistory.route,
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { BitfinexSession($0) })
}
