import Instruments
import MarketData

/// Binance's klines, of spot and of USDⓈ-M futures.
///
/// Source: the documentation that ``VenueCandleHistory`` names.
enum BinanceHistory {
    static func url(
        _ venue: Venue, _ symbol: String, _ seconds: Int64, _ from: Timestamp, _ to: Timestamp, limit: Int
    ) -> String {
        let path = venue == .binanceUSDM ? "/fapi/v1/klines" : "/api/v3/klines"
        // Both ends are included and compared with the first instant of a kline.
        let start = from.nanoseconds / 1_000_000
        let end = to.nanoseconds / 1_000_000 - 1
        return "\(path)?symbol=\(URLText.escape(symbol))&interval=\(name(seconds))"
            + "&startTime=\(start)&endTime=\(end)&limit=\(limit)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 604_800: "1w"
        case 86_400: "1d"
        case 3_600...: "\(seconds / 3_600)h"
        case 60...: "\(seconds / 60)m"
        default: "\(seconds)s"
        }
    }

    /// Reads rows of open time, open, high, low, close, volume, close time, quote volume, number of trades
    /// and taker buy volume.
    static func read(_ scanner: inout JSONScanner) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in candles.append(try readRow(&scanner)) }
        try scanner.expectEnd()
        return candles
    }

    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: [DecimalNumber] = []
        var (volume, notional, bought) = (Amount.zero, Amount.zero, Amount.zero)
        var count: Int64 = -1
        try scanner.row(10) { scanner, place throws(ScanError) in
            switch place {
            case 0: start = Timestamp(milliseconds: try scanner.integer())
            case 1...4: prices.append(try scanner.rawDecimal())
            case 5: volume = try scanner.volume()
            case 7: notional = try scanner.volume()
            case 8: count = try scanner.integer()
            case 9: bought = try scanner.volume()
            default: try scanner.skip()
            }
        }
        guard let start, prices.count == 4, count >= 0 else { throw .malformed }
        return HistoryCandle(
            start: start, open: prices[0], high: prices[1], low: prices[2], close: prices[3], volume: volume,
            notional: notional, takerBuyVolume: bought, tradeCount: count)
    }
}
