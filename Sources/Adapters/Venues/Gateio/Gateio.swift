import Instruments

/// Gate's spot market and its USDT-settled perpetual futures, which speak one protocol.
package enum Gateio {
    /// Gate spot, www.gate.com.
    ///
    /// Sources, read 2026-11: Gate, "Spot WebSocket v4" (order book update, trades, book ticker, tickers,
    /// candlesticks, ping), "API v4" (currency pairs, order book, trades, candlesticks), "Rate limits": 200
    /// requests in 10 s of each public route; two a second are asked.
    package static let spot = described(
        "gateio", GateioMarket.spot, scope: "gateio", webSocketURL: "wss://api.gateio.ws",
        list: "/currency_pairs")

    /// Gate perpetual futures settled in USDT.
    ///
    /// Sources, read 2026-11: Gate, "Futures WebSocket v4" and "API v4, Futures".
    package static let futures = described(
        "gateio-futures", GateioMarket.futures, scope: "gateioFutures", webSocketURL: "wss://fx-ws.gateio.ws",
        list: "/contracts")

    private static func described(
        _ name: String, _ market: GateioMarket, scope: String, webSocketURL: String, list: String
    ) -> VenueDescription {
        VenueDescription(
            venue: Venue(rawValue: name),
            webSocketURL: webSocketURL,
            restURL: "https://api.gateio.ws",
            scope: scope,
            usualSymbols: ["BTC_USDT", "ETH_USDT"],
            isUsual: false,
            requests: RequestLimit(capacity: 20, refillEvery: 500_000_000),
            images: ImageLimit(perSecond: 2, burst: 20),
            topicsPerMessage: 20,
            ping: .message,
            proof: .sequence,
            auditsWholeBooks: false,
            saysMarkPrices: market == .futures,
            countsContracts: market == .futures,
            pairSeparator: "_",
            instrumentList: list,
            history: GateioHistory.route(market),
            wording: { _ in
                VenueWording(
                    times: .secondsOrMilliseconds, tradeTimes: .fractionalMilliseconds, namesCandles: true)
            },
            makeSession: { GateioSession($0, market) })
    }
}

/// Which of Gate's markets.
enum GateioMarket: String, Sendable {
    case spot
    case futures

    /// Where its routes lie.
    var path: String { self == .spot ? "/api/v4/spot/" : "/api/v4/futures/usdt/" }
    /// Where its socket lies.
    var socketPath: String { self == .spot ? "/ws/v4/" : "/v4/ws/usdt" }
    /// How its routes call a symbol.
    var symbolName: String { self == .spot ? "currency_pair" : "contract" }
}
