/// What Binance takes a request for, of the units of weight that an address has in a minute.
///
/// Source: Binance, "Spot API, Market Data endpoints" and "USDⓈ-M futures, Market Data", read 2026-11;
/// COIN-M as USD-M, not confirmed.
enum BinanceWeight {
    /// Of the units of ``VenueDescription/requests``.
    static func units(of url: String, _ market: BinanceMarket) -> Int {
        let isSpot = market == .spot
        switch URLText.path(of: url).split(separator: "/").last {
        case "depth": return depth(URLText.parameter("limit", of: url).flatMap { Int($0) } ?? 1_000, isSpot)
        case "exchangeInfo": return isSpot ? 20 : 1
        case "24hr": return isSpot ? 80 : 40
        case "aggTrades": return isSpot ? 4 : 20
        case "historicalTrades": return isSpot ? 25 : 20
        default: return 1
        }
    }

    private static func depth(_ limit: Int, _ isSpot: Bool) -> Int {
        switch limit {
        case ...100: 5
        case ...500: isSpot ? 25 : 10
        default: isSpot ? 50 : 20
        }
    }
}
