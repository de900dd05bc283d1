import Instruments
import MarketData

/// Poloniex' candles.
///
/// Source, not confirmed: Poloniex, "Spot API, Market data, Candles": at most 500 rows, oldest first; "Rate
/// limits": ten requests a second of this route.
enum PoloniexHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 500,
        pace: HistoryPace(capacity: 5, refillEvery: 200_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        // Both ends are included and compared with the first instant of a candle.
        let start = question.from.nanoseconds / 1_000_000
        let end = question.to.nanoseconds / 1_000_000 - 1
        return "/markets/\(URLText.escape(question.symbol))/candles?interval=\(name(question.seconds))"
            + "&limit=\(question.limit)&startTime=\(start)&endTime=\(end)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400...: "DAY_\(seconds / 86_400)"
        case 3_600...: "HOUR_\(seconds / 3_600)"
        default: "MINUTE_\(seconds / 60)"
        }
    }

    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in candles.append(try readRow(&scanner)) }
        try scanner.expectEnd()
        return candles
    }

    /// Reads low, high, open, close, amount, quantity, both of takers that bought, count of trades, time of
    /// the row, average, interval, start and end.
    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: [DecimalNumber] = []
        var (volume, notional, bought) = (Amount.zero, Amount.zero, Amount.zero)
        var count: Int64 = -1
        try scanner.row(13) { scanner, place throws(ScanError) in
            switch place {
            case 0...3: prices.append(try scanner.rawDecimal())
            case 4: notional = try scanner.volume()
            case 5: volume = try scanner.volume()
            case 7: bought = try scanner.volume()
            case 8: count = try scanner.integer()
            case 12: start = Timestamp(milliseconds: try scanner.integer())
            default: try scanner.skip()
            }
        }
        guard let start, prices.count == 4, count >= 0 else { throw .malformed }
        return HistoryCandle(
            start: start, open: prices[2], high: prices[1], low: prices[0], close: prices[3], volume: volume,
            notional: notional, takerBuyVolume: bought, tradeCount: count)
    }

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("message", in: &scanner)
    }
}
