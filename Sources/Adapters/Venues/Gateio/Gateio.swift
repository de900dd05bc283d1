import Instruments

/// Gate's spot market and its USDT-settled perpetual futures, which speak one protocol.
package enum Gateio {
    /// Gate spot, www.gate.com.
    ///
    /// Sources: Gate, "Spot WebSocket v4" (`spot.ping`; its log of changes says that 1000 ms are gone since
    /// 2024-11 and `w` of candles is there since 2024-01); gatews #25 (no limit of subscriptions or messages,
    /// at most 100 connections); gocryptotrader (200 requests in 10 s of each public route, two a second are
    /// asked; 20 or 100 ms of books). Its announcement of `obu`, 2025-05, for `full`.
    package static let spot = described(
        "gateio", GateioMarket.spot, scope: "gateio", webSocketURL: "wss://api.gateio.ws",
        list: "/currency_pairs")

    /// Gate perpetual futures settled in USDT.
    ///
    /// Sources: gocryptotrader (address; books of 20, 50 or 100 levels, of 20 ms only 20) and tardis-node (a
    /// size below zero is a taker's sale).
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
            connections: ConnectionBounds(
                topics: 400, parts: 25, opening: RequestLimit(capacity: 10, refillEvery: 1_000_000_000)),
            ping: .message,
            proof: .sequence,
            auditsWholeBooks: false,
            saysMarkPrices: market == .futures,
            derivatives: market == .futures ? .all : [],
            countsContracts: market == .futures,
            pairSeparator: "_",
            instrumentList: list,
            history: GateioHistory.route(market),
            tickers: { GateioTickers.route(market, $0) },
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
