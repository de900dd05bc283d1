import Instruments

/// Binance's venues, which speak one protocol.
///
/// Sources, read 2026-11: Binance, "Spot API", "USDⓈ-M futures" and "Limits": 6,000 units of weight a minute
/// (spot), 2,400 (USD-M), of which an image of 1,000 levels weighs 50 or 20; at most five messages a second
/// are taken on a connection, so that many streams go into one; 1,024 streams a connection, 300 connections
/// in 5 minutes. "General WebSocket Streams information" and "Websocket Market Streams" of both futures,
/// read 2026-11-28: a connection is valid for 24 hours. Binance.US, "API documentation": 1,200 units.
/// COIN-M futures: the address as in nautilus_trader and ccxt #28091, which go on with it. Not confirmed:
/// 2,400 units, an image of 1,000 levels weighs 20. An instrument is a contract of so many dollars
/// (`contractSize`), which is paid in the coin.
package enum Binance {
    /// Binance spot, www.binance.com.
    package static let spot = described(
        "binance", at: ("wss://stream.binance.com:9443", "https://api.binance.com"), scope: "binance",
        symbols: ["BTCUSDT", "ETHUSDT"], isUsual: true, market: .spot,
        history: BinanceHistory.route(
            "/api/v3/klines", shortest: [1], weights: HistoryPace(perMinute: 6_000, cost: 2)))

    /// Binance.US spot, www.binance.us.
    package static let us = described(
        "binance-us", at: ("wss://stream.binance.us:9443", "https://api.binance.us"), scope: "binanceUS",
        symbols: ["BTCUSDT"], isUsual: false, market: .spot,
        history: BinanceHistory.route("/api/v3/klines", weights: HistoryPace(perMinute: 1_200, cost: 1)))

    /// Binance USD-M futures, fapi.binance.com.
    package static let usdm = described(
        "binance-usdm", at: ("wss://fstream.binance.com", "https://fapi.binance.com"), scope: "binanceUSDM",
        symbols: ["BTCUSDT"], isUsual: true, market: .usdm,
        history: BinanceHistory.route("/fapi/v1/klines", weights: HistoryPace(perMinute: 2_400, cost: 5)))

    /// Binance COIN-M futures, dapi.binance.com.
    package static let coinm = described(
        "binance-coinm", at: ("wss://dstream.binance.com", "https://dapi.binance.com"),
        scope: "binanceCOINM", symbols: ["BTCUSD_PERP"], isUsual: false, market: .coinm,
        history: BinanceHistory.inverseRoute(
            "/dapi/v1/klines", weights: HistoryPace(perMinute: 2_400, cost: 5)))

    private static func described(
        _ name: String, at addresses: (webSocket: String, rest: String), scope: String, symbols: [String],
        isUsual: Bool, market: BinanceMarket, history: HistoryRoute
    ) -> VenueDescription {
        let units = name == "binance" ? 6_000 : name == "binance-us" ? 1_200 : 2_400
        // A sixth of a minute's units at once and four fifths in a minute: less than all of them in any.
        let requests = RequestLimit(
            capacity: units / 6, refillEvery: 60_000_000_000 / Int64(units * 4 / 5))
        return VenueDescription(
            venue: Venue(rawValue: name),
            webSocketURL: addresses.webSocket,
            restURL: addresses.rest,
            scope: scope,
            usualSymbols: symbols,
            isUsual: isUsual,
            requests: requests,
            weight: { BinanceWeight.units(of: $0, market) },
            images: ImageLimit(perSecond: 1, burst: 10),
            topicsPerMessage: 200,
            connections: ConnectionBounds(
                topics: 800, parts: 20, opening: RequestLimit(capacity: 20, refillEvery: 2_000_000_000),
                messages: MessageLimit(rate: RequestLimit(capacity: 3, refillEvery: 400_000_000)),
                lifetime: .seconds(86_400)),
            ping: .frame,
            proof: .sequence,
            auditsWholeBooks: false,
            saysMarkPrices: market != .spot,
            derivatives: market == .spot ? [] : .all,
            countsContracts: market == .coinm,
            instrumentList: "/exchangeInfo",
            history: history,
            tickers: { BinanceTickers.route(market, $0) },
            wording: { _ in VenueWording(times: .milliseconds) },
            makeSession: { BinanceSession($0, market) })
    }
}
