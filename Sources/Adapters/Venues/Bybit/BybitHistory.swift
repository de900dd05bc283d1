import Instruments
import MarketData

/// Bybit's klines.
///
/// Source, not confirmed: Bybit, "V5 API, Get kline": at most 1,000 rows, newest first; "Rate limit rules":
/// 600 requests in 5 s from an address, of which an eighth is used. The day on which its weeks begin is not
/// said.
enum BybitHistory {
    /// The route of a category.
    static func route(_ category: BybitCategory) -> HistoryRoute {
        HistoryRoute(
            lengths: HistoryRoute.usualLengths, pageSize: 1_000,
            pace: HistoryPace(capacity: 5, refillEvery: 66_000_000, cost: 1),
            address: { url(category, $0) },
            read: { scanner, _ throws(ScanError) in
                try read(&scanner, countsDollars: category == .inverse)
            },
            complaint: complaint)
    }

    private static func url(_ category: BybitCategory, _ question: HistoryQuery) -> String {
        // Both ends are included.
        let start = question.from.nanoseconds / 1_000_000
        let end = question.to.nanoseconds / 1_000_000 - 1
        let interval = question.seconds == 86_400 ? "D" : "\(question.seconds / 60)"
        return "/v5/market/kline?category=\(category.rawValue)&symbol=\(URLText.escape(question.symbol))"
            + "&interval=\(interval)&start=\(start)&end=\(end)&limit=\(question.limit)"
    }

    private static func read(
        _ scanner: inout JSONScanner, countsDollars: Bool
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle]?
        try scanner.enterBybitResult()
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "list") else { return try scanner.skip() }
            var rows: [HistoryCandle] = []
            try scanner.array { scanner throws(ScanError) in
                rows.append(try readRow(&scanner, countsDollars: countsDollars))
            }
            candles = rows
        }
        guard let candles else { throw .malformed }
        return candles
    }

    /// Reads start, open, high, low, close, volume and turnover; trades are not counted.
    private static func readRow(
        _ scanner: inout JSONScanner, countsDollars: Bool
    ) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: [DecimalNumber] = []
        var (volume, turnover) = (Amount.zero, Amount.zero)
        try scanner.row(7) { scanner, place throws(ScanError) in
            switch place {
            case 0: start = Timestamp(milliseconds: try scanner.integer())
            case 1...4: prices.append(try scanner.rawDecimal())
            case 5: volume = try scanner.volume()
            case 6: turnover = try scanner.volume()
            default: try scanner.skip()
            }
        }
        guard let start, prices.count == 4 else { throw .malformed }
        // The turnover of inverse contracts is in the base asset: no Σ price × size.
        return HistoryCandle(
            start: start, open: prices[0], high: prices[1], low: prices[2], close: prices[3],
            volume: volume, notional: countsDollars ? nil : turnover, takerBuyVolume: nil, tradeCount: 0)
    }

    /// Reads `retMsg`; 10006 and 10018 say that too much is asked.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        var (code, text): (Int64, String?) = (0, nil)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "retCode") {
                code = try scanner.integer()
            } else if scanner.equals(key, "retMsg"), try scanner.peek() == 0x22 {
                text = scanner.string(try scanner.text())
            } else {
                try scanner.skip()
            }
        }
        guard code != 0, let text else { return nil }
        return code == 10_006 || code == 10_018 ? "Rate limit: \(text)" : text
    }
}
