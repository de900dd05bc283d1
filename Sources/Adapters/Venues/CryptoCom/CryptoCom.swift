import Instruments

/// Crypto.com Exchange, crypto.com/exchange.
package enum CryptoCom {
    /// What is asked of it.
    ///
    /// Sources, read 2026-11: Crypto.com, "Exchange API v1": "Websocket heartbeats" (every 30 s, answered
    /// within 5), `book`, `trade`, `ticker`, `candlestick`, `mark`, "Rate limits" (100 requests a second for
    /// each public route and on the market socket, in parts of the first second of a connection); "Spot API
    /// v2" for what it was until 2023: images of 150 levels.
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
