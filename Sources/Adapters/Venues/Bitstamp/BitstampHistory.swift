import Instruments
import MarketData

/// Bitstamp's candles.
///
/// Source, not confirmed: Bitstamp, "HTTP API, OHLC data": at most 1,000, both ends included.
enum BitstampHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 1_000,
        pace: HistoryPace(capacity: 5, refillEvery: 200_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        let start = question.from.nanoseconds / 1_000_000_000
        let end = question.to.nanoseconds / 1_000_000_000 - 1
        return "/api/v2/ohlc/\(URLText.escape(question.symbol))/?step=\(question.seconds)"
            + "&limit=\(question.limit)&start=\(start)&end=\(end)"
    }

    /// Reads `{"data":{"ohlc":[{"timestamp","open","high","low","close","volume"},…],"pair":…}}`.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle]?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "data") else { return try scanner.skip() }
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, "ohlc") else { return try scanner.skip() }
                var rows: [HistoryCandle] = []
                try scanner.array { scanner throws(ScanError) in rows.append(try readRow(&scanner)) }
                candles = rows
            }
        }
        try scanner.expectEnd()
        guard let candles else { throw .malformed }
        return candles
    }

    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var seconds: Int64?
        var (open, high): (DecimalNumber?, DecimalNumber?) = (nil, nil)
        var (low, close): (DecimalNumber?, DecimalNumber?) = (nil, nil)
        var volume: Amount?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "timestamp") {
                seconds = try scanner.integer()
            } else if scanner.equals(key, "open") {
                open = try scanner.rawDecimal()
            } else if scanner.equals(key, "high") {
                high = try scanner.rawDecimal()
            } else if scanner.equals(key, "low") {
                low = try scanner.rawDecimal()
            } else if scanner.equals(key, "close") {
                close = try scanner.rawDecimal()
            } else if scanner.equals(key, "volume") {
                volume = try scanner.volume()
            } else {
                try scanner.skip()
            }
        }
        guard let seconds, let open, let high, let low, let close, let volume else { throw .malformed }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { throw .malformed }
        // Trades are not counted by the venue.
        return HistoryCandle(
            start: Timestamp(nanoseconds: nanoseconds), open: open, high: high, low: low, close: close,
            volume: volume, notional: nil, takerBuyVolume: nil, tradeCount: 0)
    }

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("reason", in: &scanner)
    }
}
