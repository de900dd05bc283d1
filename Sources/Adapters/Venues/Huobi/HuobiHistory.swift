import Instruments
import MarketData

/// HTX's klines.
///
/// Source, not confirmed: HTX, "Spot API reference, Get klines(candles)": the newest 2,000 rows at the most,
/// newest first, without a way to older ones; the first is open. Its days begin at 16:00 UTC and are not
/// ours.
enum HuobiHistory {
    static let route = HistoryRoute(
        lengths: [60, 300, 900, 1_800, 3_600, 14_400], pageSize: 2_000, reach: 2_000,
        pace: HistoryPace(perMinute: 300, cost: 1), address: url, read: read, complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        "/market/history/kline?symbol=\(URLText.escape(question.symbol))"
            + "&period=\(HuobiTopic.interval(of: question.seconds))&size=\(question.limit)"
    }

    /// Reads `data`: rows of `id` (the start), `open, close, high, low`, `amount` (of the base), `vol` (of
    /// the quote) and `count`.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle]?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "data") else { return try scanner.skip() }
            var rows: [HistoryCandle] = []
            try scanner.array { scanner throws(ScanError) in rows.append(try readRow(&scanner)) }
            candles = rows
        }
        try scanner.expectEnd()
        guard let candles else { throw .malformed }
        return candles
    }

    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: (open: DecimalNumber?, high: DecimalNumber?, low: DecimalNumber?, close: DecimalNumber?)
        var volume: Amount?
        var notional: Amount?
        var count: Int64 = -1
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "id") {
                start = Timestamp(wholeSeconds: try scanner.integer())
            } else if scanner.equals(key, "open") {
                prices.open = try scanner.rawDecimal()
            } else if scanner.equals(key, "high") {
                prices.high = try scanner.rawDecimal()
            } else if scanner.equals(key, "low") {
                prices.low = try scanner.rawDecimal()
            } else if scanner.equals(key, "close") {
                prices.close = try scanner.rawDecimal()
            } else if scanner.equals(key, "amount") {
                volume = try scanner.volume()
            } else if scanner.equals(key, "vol") {
                notional = try scanner.volume()
            } else if scanner.equals(key, "count") {
                count = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        guard let start, let open = prices.open, let high = prices.high, let low = prices.low,
            let close = prices.close, let volume, count >= 0
        else { throw .malformed }
        return HistoryCandle(
            start: start, open: open, high: high, low: low, close: close, volume: volume, notional: notional,
            takerBuyVolume: nil, tradeCount: count)
    }

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("err-msg", in: &scanner)
    }
}
