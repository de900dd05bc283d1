import Instruments
import MarketData

/// Binance's klines, of spot and of USDⓈ-M futures.
///
/// Sources, read 2026-11:
/// - Binance, "Spot API, Market data endpoints, Kline/Candlestick data" and "Limits": at most 1,000 rows;
///   weight 2 of 6,000 a minute.
/// - Binance.US, "API documentation, Market data": at most 1,000 rows; weight 1 of 1,200 a minute.
/// - Binance, "USDⓈ-M futures, Kline/Candlestick data": weight 5 of 2,400 a minute for 500 to 1,000 rows.
/// - Binance, "COIN-M futures, Kline/Candlestick data": the same, over at most 200 days; volumes count
///   contracts, and where the others give the sum of price × size it gives the volume in coins.
enum BinanceHistory {
    /// A route whose requests cost so much of what an address has.
    static func route(_ path: String, shortest: [Int64] = [], weights: HistoryPace) -> HistoryRoute {
        HistoryRoute(
            lengths: shortest + HistoryRoute.usualLengths + [604_800], pageSize: 1_000, pace: weights,
            address: { url(path, $0) }, read: read, complaint: complaint)
    }

    /// A route of inverse contracts: no sum of price × size, and pages that are never longer than 200 days.
    static func inverseRoute(_ path: String, weights: HistoryPace) -> HistoryRoute {
        HistoryRoute(
            lengths: HistoryRoute.usualLengths, pageSize: 200, pace: weights,
            address: { url(path, $0) },
            read: { scanner, seconds throws(ScanError) in
                try read(&scanner, seconds: seconds).map { candle in
                    var candle = candle
                    candle.notional = nil
                    return candle
                }
            }, complaint: complaint)
    }

    private static func url(_ path: String, _ question: HistoryQuery) -> String {
        // Both ends are included and compared with the first instant of a kline.
        let start = question.from.nanoseconds / 1_000_000
        let end = question.to.nanoseconds / 1_000_000 - 1
        return "\(path)?symbol=\(URLText.escape(question.symbol))&interval=\(name(question.seconds))"
            + "&startTime=\(start)&endTime=\(end)&limit=\(question.limit)"
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
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
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

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("msg", in: &scanner)
    }
}
