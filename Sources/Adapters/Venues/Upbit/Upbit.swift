import Instruments

/// Upbit Korea, upbit.com.
package enum Upbit {
    /// What is asked of it.
    ///
    /// Sources: Upbit, "Connection management" (`PING` answered by `{"status":"UP"}`, which comes every 10 s,
    /// closed after 120 s of silence), "WebSocket usage and error guide" (names of errors), "Rate limits" and
    /// "User request guide" (ten requests a second to each group of routes, by address; five messages a
    /// second and 100 a minute; 429, then 418 for longer and longer); a recording of 2021. Not confirmed: up
    /// to 30 levels a side.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "upbit"),
        webSocketURL: "wss://api.upbit.com",
        restURL: "https://api.upbit.com",
        scope: "upbit",
        usualSymbols: ["KRW-BTC", "KRW-ETH"],
        isUsual: false,
        requests: RequestLimit(capacity: 5, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 4, burst: 4),
        topicsPerMessage: 500,
        connections: ConnectionBounds(
            topics: 400, parts: 5, opening: RequestLimit(capacity: 2, refillEvery: 1_000_000_000),
            messages: MessageLimit(
                rate: RequestLimit(capacity: 3, refillEvery: 620_000_000), isOfAddress: true)),
        ping: .message,
        silence: SilenceLimit(answer: .seconds(10)),
        proof: .nothing,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        // A dash stands between quote and base, in this order.
        instrumentList: "/v1/market/all",
        history: UpbitHistory.route,
        wording: { _ in VenueWording(times: .milliseconds, trimsNumbers: true) },
        makeSession: { UpbitSession($0) })
}
