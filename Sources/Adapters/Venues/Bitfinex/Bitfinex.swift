import Instruments

/// Bitfinex, www.bitfinex.com: spot and linear perpetuals.
package enum Bitfinex {
    /// What is asked of it.
    ///
    /// Source: Bitfinex API documentation. Its page "Public Channels" says 25 channels on a connection and 20
    /// connections a minute, "General" the addresses. The flags and the info codes are those of its client
    /// bitfinex-rb. Not confirmed: how many requests a minute a route takes (15 of trades, or 30 as
    /// gocryptotrader has it); what is asked of all stays below 15 in any minute, the first included.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "bitfinex"),
        webSocketURL: "wss://api-pub.bitfinex.com",
        restURL: "https://api-pub.bitfinex.com",
        scope: "bitfinex",
        usualSymbols: ["tBTCUSD", "tETHUSD"],
        isUsual: false,
        requests: RequestLimit(capacity: 4, refillEvery: 6_000_000_000),
        images: ImageLimit(perSecond: 5, burst: 20),
        topicsPerMessage: 1,
        connections: ConnectionBounds(
            topics: 25, parts: 40, opening: RequestLimit(capacity: 5, refillEvery: 4_000_000_000)),
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
