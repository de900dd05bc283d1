import Instruments
import MarketData

/// KuCoin's candles.
///
/// Source, not confirmed: KuCoin API documentation, "Get Klines": at most 1,500 rows, newest first, of start
/// in seconds, open, close, high, low, volume and turnover; weight 3 of 2,000 in 30 s; without a trade there
/// may be no row.
enum KuCoinHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 1_000,
        pace: HistoryPace(capacity: 20, refillEvery: 500_000_000, cost: 1), address: url, read: read,
        complaint: { scanner throws(ScanError) in try HistoryText.field("msg", in: &scanner) })

    private static func url(_ question: HistoryQuery) -> String {
        let start = question.from.nanoseconds / 1_000_000_000
        let end = question.to.nanoseconds / 1_000_000_000
        return "/api/v1/market/candles?type=\(name(question.seconds))"
            + "&symbol=\(URLText.escape(question.symbol))&startAt=\(start)&endAt=\(end)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400...: "1day"
        case 3_600...: "\(seconds / 3_600)hour"
        default: "\(seconds / 60)min"
        }
    }

    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        try scanner.enterData()
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in candles.append(try readRow(&scanner)) }
        return candles
    }

    /// A row; the number of trades is not said.
    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var seconds: Int64 = 0
        var prices: [DecimalNumber] = []
        var (volume, turnover) = (Amount.zero, Amount.zero)
        try scanner.row(7) { scanner, place throws(ScanError) in
            switch place {
            case 0: seconds = try scanner.integer()
            case 1...4: prices.append(try scanner.rawDecimal())
            case 5: volume = try scanner.volume()
            default: turnover = try scanner.volume()
            }
        }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow, prices.count == 4 else { throw .malformed }
        return HistoryCandle(
            start: Timestamp(nanoseconds: nanoseconds), open: prices[0], high: prices[2], low: prices[3],
            close: prices[1], volume: volume, notional: turnover, takerBuyVolume: nil, tradeCount: 0)
    }
}
