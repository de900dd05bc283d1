import Instruments

/// Bybit's spot market and its linear and inverse contracts, www.bybit.com: three addresses, where the same
/// name is another instrument.
///
/// Sources: Bybit, "V5 API, Connect" (addresses); sieblyio/bybit-api #174 (ten topics in a message of spot).
/// Not confirmed: a ping every 20 s, 600 requests in 5 s from an address, 500 connections in 5 minutes.
package enum Bybit {
    package static let spot = described("bybit", .spot, scope: "bybit", symbols: ["BTCUSDT", "ETHUSDT"])

    /// Contracts settled in USDT or USDC, whose sizes are in the base asset.
    package static let linear = described(
        "bybit-linear", .linear, scope: "bybitLinear", symbols: ["BTCUSDT"])

    /// Contracts settled in the base asset, whose sizes are in US dollars.
    package static let inverse = described(
        "bybit-inverse", .inverse, scope: "bybitInverse", symbols: ["BTCUSD"])

    private static func described(
        _ name: String, _ category: BybitCategory, scope: String, symbols: [String]
    ) -> VenueDescription {
        VenueDescription(
            venue: Venue(rawValue: name),
            webSocketURL: "wss://stream.bybit.com",
            restURL: "https://api.bybit.com",
            scope: scope,
            usualSymbols: symbols,
            isUsual: false,
            requests: RequestLimit(capacity: 20, refillEvery: 100_000_000),
            images: ImageLimit(perSecond: 5, burst: 50),
            topicsPerMessage: 10,
            connections: ConnectionBounds(
                topics: 400, parts: 50, opening: RequestLimit(capacity: 20, refillEvery: 1_000_000_000)),
            ping: .message,
            proof: .sequence,
            auditsWholeBooks: false,
            saysMarkPrices: category != .spot,
            derivatives: category == .spot ? [] : .all,
            countsContracts: category == .inverse,
            instrumentList: category.instrumentList,
            history: BybitHistory.route(category),
            tickers: { BybitTickers.route(category, $0) },
            wording: { _ in VenueWording(times: .milliseconds) },
            makeSession: { BybitSession($0, category) })
    }
}
