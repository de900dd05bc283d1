import Instruments
import MarketData

/// Coinbase's candles, which Advanced Trade gives to anybody.
///
/// Source, not confirmed: Coinbase Developer Documentation, "Get Public Product Candles" (at most 350) and
/// "Advanced Trade REST rate limits": ten a second.
enum CoinbaseHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 350,
        pace: HistoryPace(capacity: 5, refillEvery: 200_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        let start = question.from.nanoseconds / 1_000_000_000
        // Candles that begin at the end are not wanted, whether it is included or not.
        let end = question.to.nanoseconds / 1_000_000_000 - 1
        return "/api/v3/brokerage/market/products/\(URLText.escape(question.symbol))/candles"
            + "?start=\(start)&end=\(end)&granularity=\(name(question.seconds))&limit=\(question.limit)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 60: "ONE_MINUTE"
        case 300: "FIVE_MINUTE"
        case 900: "FIFTEEN_MINUTE"
        case 1_800: "THIRTY_MINUTE"
        case 3_600: "ONE_HOUR"
        case 14_400: "FOUR_HOUR"
        default: "ONE_DAY"
        }
    }

    /// Reads `{"candles":[{"start","low","high","open","close","volume"},…]}`.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle]?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "candles") else { return try scanner.skip() }
            var rows: [HistoryCandle] = []
            try scanner.array { scanner throws(ScanError) in rows.append(try readRow(&scanner)) }
            candles = rows
        }
        try scanner.expectEnd()
        guard let candles else { throw .malformed }
        return candles
    }

    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var row = CoinbaseCandle()
        var volume: Amount?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "volume") {
                volume = try scanner.volume()
            } else if try !row.read(&scanner, key) {
                try scanner.skip()
            }
        }
        guard let start = row.start, let open = row.open, let high = row.high, let low = row.low,
            let close = row.close, let volume
        else { throw .malformed }
        // Trades are not counted by the venue.
        return HistoryCandle(
            start: start, open: open, high: high, low: low, close: close, volume: volume, notional: nil,
            takerBuyVolume: nil, tradeCount: 0)
    }

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("message", in: &scanner)
    }
}

/// A candle as Advanced Trade writes it, without its volume: `start` in seconds, prices as texts.
struct CoinbaseCandle {
    var start: Timestamp?
    var open: DecimalNumber?
    var high: DecimalNumber?
    var low: DecimalNumber?
    var close: DecimalNumber?

    /// Reads the value of a key.
    ///
    /// - Returns: Whether it was one of these; otherwise the scanner has not moved.
    mutating func read(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "start") {
            let (nanoseconds, overflow) = try scanner.integer().multipliedReportingOverflow(by: 1_000_000_000)
            if overflow { throw .malformed }
            start = Timestamp(nanoseconds: nanoseconds)
        } else if scanner.equals(key, "open") {
            open = try scanner.anyDecimal()
        } else if scanner.equals(key, "high") {
            high = try scanner.anyDecimal()
        } else if scanner.equals(key, "low") {
            low = try scanner.anyDecimal()
        } else if scanner.equals(key, "close") {
            close = try scanner.anyDecimal()
        } else {
            return false
        }
        return true
    }
}
