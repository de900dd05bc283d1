import Instruments

/// Deribit, www.deribit.com: options, futures, perpetuals and spot.
package enum Deribit {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: Deribit API, "Notifications" (at most 500 channels in a message), "Rate limits"
    /// (without a key some 20 requests a second for an address, 32 connections), "public/subscribe" (3.3 a
    /// second in the long run; an image is two) and "public/set_heartbeat".
    package static let description = VenueDescription(
        venue: Venue(rawValue: "deribit"),
        webSocketURL: "wss://www.deribit.com",
        restURL: "https://www.deribit.com",
        scope: "deribit",
        usualSymbols: ["BTC-PERPETUAL", "ETH-PERPETUAL"],
        isUsual: false,
        requests: RequestLimit(capacity: 10, refillEvery: 500_000_000),
        images: ImageLimit(perSecond: 1, burst: 5),
        topicsPerMessage: 250,
        connections: ConnectionBounds(
            topics: 500, parts: 15, opening: RequestLimit(capacity: 5, refillEvery: 1_000_000_000),
            messages: MessageLimit(rate: RequestLimit(capacity: 5, refillEvery: 330_000_000))),
        ping: .message,
        proof: .sequence,
        auditsWholeBooks: true,
        saysMarkPrices: true,
        derivatives: .all,
        countsContracts: true,
        instrumentList: "/get_instruments?currency=any&expired=false",
        history: DeribitHistory.route,
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { DeribitSession($0) })
}
