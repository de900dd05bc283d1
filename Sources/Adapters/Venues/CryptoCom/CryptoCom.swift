import Instruments

/// Crypto.com Exchange, crypto.com/exchange.
package enum CryptoCom {
    /// What is asked of it.
    ///
    /// Sources: Crypto.com, "Exchange API v1" (images every 100 ms are gone since 2025-02, changes go on);
    /// cryptofeed (heartbeats are answered, 100 messages a second, a second's rest after connecting, which is
    /// not taken here: what is refused for it is asked again); tardis-node for sides. Not confirmed: 100
    /// requests a second for each public route; an answer to a heartbeat within 5 s.
    package static let description = VenueDescription(
        venue: Venue(rawValue: "crypto-com"),
        webSocketURL: "wss://stream.crypto.com",
        restURL: "https://api.crypto.com",
        scope: "cryptoCom",
        usualSymbols: ["BTC_USD", "ETH_USD"],
        isUsual: false,
        requests: RequestLimit(capacity: 10, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 5, burst: 20),
        topicsPerMessage: 20,
        connections: ConnectionBounds(
            topics: 400, parts: 20, opening: RequestLimit(capacity: 5, refillEvery: 2_000_000_000),
            messages: MessageLimit(rate: RequestLimit(capacity: 50, refillEvery: 20_000_000))),
        ping: .frame,
        proof: .sequence,
        auditsWholeBooks: false,
        saysMarkPrices: true,
        countsContracts: false,
        instrumentList: "/public/get-instruments",
        history: CryptoComHistory.route,
        wording: { _ in VenueWording(times: .milliseconds, trimsNumbers: true) },
        makeSession: { CryptoComSession($0) })

    /// Seconds of a candle's length by its name; `nil` for months, whose lengths differ.
    static func seconds(of interval: String) -> Int64? {
        guard let count = Int64(interval.dropLast()), count > 0, count < 1_000 else { return nil }
        switch interval.last {
        case "m": return count * 60
        case "h": return count * 3_600
        case "D": return count * 86_400
        default: return nil
        }
    }
}
