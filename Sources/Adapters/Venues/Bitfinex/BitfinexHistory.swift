import Instruments
import MarketData

/// Bitfinex's candles.
///
/// Source, not confirmed: Bitfinex API documentation, "Candles": `trade:<frame>:<symbol>`, at most 10,000
/// rows, 30 requests a minute; both ends are included; without a trade there is no row.
enum BitfinexHistory {
    static let route = HistoryRoute(
        lengths: [60, 300, 900, 1_800, 3_600, 86_400], pageSize: 1_000,
        pace: HistoryPace(capacity: 5, refillEvery: 3_000_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        let start = question.from.nanoseconds / 1_000_000
        let end = question.to.nanoseconds / 1_000_000 - 1
        return "/v2/candles/trade:\(name(question.seconds)):\(URLText.escape(question.symbol))/hist"
            + "?start=\(start)&end=\(end)&sort=1&limit=\(question.limit)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400...: "1D"
        case 3_600...: "\(seconds / 3_600)h"
        default: "\(seconds / 60)m"
        }
    }

    /// Reads rows of start, open, close, high, low and volume; the number of trades is not said.
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
        var volume = Amount.zero
        try scanner.row(6) { scanner, place throws(ScanError) in
            switch place {
            case 0: start = Timestamp(milliseconds: try scanner.integer())
            case 1...4: prices.append(try scanner.rawDecimal())
            default: volume = try scanner.volume()
            }
        }
        guard let start, prices.count == 4 else { throw .malformed }
        return HistoryCandle(
            start: start, open: prices[0], high: prices[2], low: prices[3], close: prices[1], volume: volume,
            notional: nil, takerBuyVolume: nil, tradeCount: 0)
    }

    /// `["error", 10020, "limit: invalid"]`, or an object with `error`.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        if try scanner.peek() == 0x7B { return try HistoryText.field("error", in: &scanner) }
        var texts: [String] = []
        try scanner.array { scanner throws(ScanError) in
            let text = try scanner.scalarText()
            if let word = scanner.string(text) { texts.append(word) }
        }
        return texts.first == "error" ? texts.last : nil
    }
}
