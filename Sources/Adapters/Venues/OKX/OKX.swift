import Instruments

/// OKX, www.okx.com: spot, perpetuals, futures and options; and Okcoin, its sister, which spoke the same.
package enum OKX {
    /// What is asked of it.
    ///
    /// Sources: OKX API guide v5, "WebSocket", as nautilus_trader and slinky cite it (three connections a
    /// second, 480 requests to subscribe or unsubscribe an hour and connection, 64 KB a message, closed after
    /// 30 s of silence). Not confirmed: the limits of REST (20 requests in 2 s are the least), and "Order
    /// book channels checksum field deprecation", 2026-05-21: sums are compared wherever they are not 0. Its
    /// proof is that of the weakest generation that is read: recordings from before `seqId`.
    package static let description = described(
        "okx", at: ("wss://ws.okx.com:8443", "https://www.okx.com"), symbols: ["BTC-USDT", "ETH-USDT"])

    /// Okcoin, www.okcoin.com, which went over into OKX: Europe in 2024-01, the United States in 2025-05.
    ///
    /// Source: the tracker of bitcoin.org, #4753; not confirmed. Spot only.
    package static let okcoin = described(
        "okcoin", at: ("wss://real.okcoin.com:8443", "https://www.okcoin.com"), symbols: ["BTC-USD"],
        closure: VenueClosure(day: "2025-05"))

    private static func described(
        _ name: String, at addresses: (webSocket: String, rest: String), symbols: [String],
        closure: VenueClosure? = nil
    ) -> VenueDescription {
        VenueDescription(
            venue: Venue(rawValue: name),
            webSocketURL: addresses.webSocket,
            restURL: addresses.rest,
            scope: name,
            usualSymbols: symbols,
            isUsual: false,
            closure: closure,
            requests: RequestLimit(capacity: 10, refillEvery: 200_000_000),
            images: ImageLimit(perSecond: 1, burst: 50),
            topicsPerMessage: 50,
            connections: ConnectionBounds(
                topics: 600, parts: 30, opening: RequestLimit(capacity: 3, refillEvery: 1_000_000_000),
                derivativeTopics: 4),
            ping: .message,
            proof: .checksum(levels: SentLevelTexts.depth),
            auditsWholeBooks: false,
            saysMarkPrices: closure == nil,
            derivatives: closure == nil ? .all : [],
            countsContracts: closure == nil,
            pairSeparator: "-",
            instrumentList: "/public/instruments",
            history: OKXHistory.route,
            tickers: { OKXTickers.route($0) },
            // Messages of v3 begin with `table`.
            wording: { $0 == 0x74 ? tables : arguments },
            makeSession: { OKXSession($0) })
    }

    private static let tables = VenueWording(times: .iso8601(fractionDigits: 3), trimsNumbers: true)
    private static let arguments = VenueWording(times: .milliseconds, trimsNumbers: true)
}
