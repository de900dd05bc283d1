import Instruments

/// Kraken Futures, futures.kraken.com.
package enum KrakenFutures {
    /// What is asked of it.
    ///
    /// Sources: Kraken, "Futures WebSockets" (address, a ping at least every 60 s), "Heartbeat" (events and
    /// errors), "Request limits" (public routes of REST cost nothing; once a second is what its spot market
    /// allows); nautilus_trader (100 messages a second on a connection); a recording of 2021 for the feeds.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "kraken-futures"),
        webSocketURL: "wss://futures.kraken.com",
        restURL: "https://futures.kraken.com",
        scope: "krakenFutures",
        usualSymbols: ["PF_XBTUSD", "PF_ETHUSD"],
        isUsual: false,
        requests: RequestLimit(capacity: 10, refillEvery: 1_000_000_000),
        images: ImageLimit(perSecond: 5, burst: 50),
        topicsPerMessage: 50,
        connections: ConnectionBounds(
            topics: 400, parts: 20, opening: RequestLimit(capacity: 5, refillEvery: 1_000_000_000),
            messages: MessageLimit(rate: RequestLimit(capacity: 50, refillEvery: 20_000_000))),
        ping: .frame,
        proof: .sequence,
        auditsWholeBooks: true,
        saysMarkPrices: true,
        derivatives: .all,
        countsContracts: true,
        instrumentList: "/instruments",
        history: KrakenFuturesHistory.route,
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { KrakenFuturesSession($0) })
}
