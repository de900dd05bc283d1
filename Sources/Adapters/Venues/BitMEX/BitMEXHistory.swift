import Instruments
import MarketData

/// BitMEX's trades in buckets.
///
/// Source, read 2026-11: BitMEX, "API explorer, /trade/bucketed": at most 1,000 rows; a row's time is the end
/// of its interval. "Rate limits": 30 requests a minute without a key.
enum BitMEXHistory {
    static let route = HistoryRoute(
        lengths: [60, 300, 3_600, 86_400], pageSize: 1_000, pace: HistoryPace(perMinute: 30, cost: 1),
        address: url, read: read, complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        // A bucket's time is its end: the first wanted one ends a length after `from`, the last at `to`.
        let first = question.from.adding(nanoseconds: question.seconds * 1_000_000_000)
        let size = [60: "1m", 300: "5m", 3_600: "1h"][question.seconds] ?? "1d"
        return "/api/v1/trade/bucketed?binSize=\(size)&partial=false"
            + "&symbol=\(URLText.escape(question.symbol))&count=\(question.limit)&reverse=false"
            + "&startTime=\(URLText.escape(first.iso8601(fractionDigits: 3)))"
            + "&endTime=\(URLText.escape(question.to.iso8601(fractionDigits: 3)))"
    }

    /// Reads an array of objects with `timestamp`, `open`, `high`, `low`, `close`, `trades` and `volume`.
    ///
    /// Volume counts contracts. Neither it nor the value in the coin of settlement is Σ price × size. A
    /// bucket before the first trade of all has no prices and is left out.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in
            if let candle = try readRow(&scanner, seconds: seconds) { candles.append(candle) }
        }
        try scanner.expectEnd()
        return candles
    }

    private static func readRow(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> HistoryCandle? {
        var end: Timestamp?
        var prices: [DecimalNumber?] = [nil, nil, nil, nil]
        var volume = Amount.zero
        var count: Int64 = 0
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "timestamp") {
                end = Timestamp(iso8601: scanner.bytes(try scanner.text()))
            } else if scanner.equals(key, "open") {
                prices[0] = try scanner.anyDecimal()
            } else if scanner.equals(key, "high") {
                prices[1] = try scanner.anyDecimal()
            } else if scanner.equals(key, "low") {
                prices[2] = try scanner.anyDecimal()
            } else if scanner.equals(key, "close") {
                prices[3] = try scanner.anyDecimal()
            } else if scanner.equals(key, "trades") {
                count = try scanner.integer()
            } else if scanner.equals(key, "volume") {
                volume = try scanner.amount() ?? .zero
            } else {
                try scanner.skip()
            }
        }
        guard let end, count >= 0, !volume.isNegative else { throw .malformed }
        guard let open = prices[0], let high = prices[1], let low = prices[2], let close = prices[3] else {
            return nil
        }
        // The venue opens a bucket with the close before it, which may lie outside of what was traded in it.
        return HistoryCandle(
            start: end.adding(nanoseconds: -seconds * 1_000_000_000), open: open, high: max(high, open),
            low: min(low, open), close: close, volume: volume, notional: nil, takerBuyVolume: nil,
            tradeCount: count)
    }

    /// Reads the `message` of `error`.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        var text: String?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "error") else { return try scanner.skip() }
            text = try HistoryText.field("message", in: &scanner)
        }
        return text
    }
}
