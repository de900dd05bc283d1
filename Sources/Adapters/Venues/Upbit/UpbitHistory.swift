import Instruments
import MarketData

/// Upbit's candles.
///
/// Source, not confirmed: Upbit, "Quotation, Minute and day candles": at most 200 rows that begin before
/// `to`, newest first; an interval without a trade has none. Days begin at 00:00 UTC.
enum UpbitHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 200, pace: HistoryPace(perMinute: 300, cost: 1),
        address: url, read: read, complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        let unit = question.seconds == 86_400 ? "days" : "minutes/\(question.seconds / 60)"
        let end = URLText.escape(question.to.iso8601(fractionDigits: 0))
        return "/v1/candles/\(unit)?market=\(URLText.escape(question.symbol))&to=\(end)"
            + "&count=\(question.limit)"
    }

    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in candles.append(try readRow(&scanner)) }
        try scanner.expectEnd()
        return candles
    }

    /// It does not say how many trades there were.
    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: (open: DecimalNumber?, high: DecimalNumber?, low: DecimalNumber?, close: DecimalNumber?)
        var volume: Amount?
        var notional: Amount?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "candle_date_time_utc") {
                start = scanner.plainTime(try scanner.text())
            } else if scanner.equals(key, "opening_price") {
                prices.open = try scanner.rawDecimal()
            } else if scanner.equals(key, "high_price") {
                prices.high = try scanner.rawDecimal()
            } else if scanner.equals(key, "low_price") {
                prices.low = try scanner.rawDecimal()
            } else if scanner.equals(key, "trade_price") {
                prices.close = try scanner.rawDecimal()
            } else if scanner.equals(key, "candle_acc_trade_volume") {
                volume = try scanner.volume()
            } else if scanner.equals(key, "candle_acc_trade_price") {
                notional = try scanner.volume()
            } else {
                try scanner.skip()
            }
        }
        guard let start, let open = prices.open, let high = prices.high, let low = prices.low,
            let close = prices.close, let volume
        else { throw .malformed }
        return HistoryCandle(
            start: start, open: open, high: high, low: low, close: close, volume: volume, notional: notional,
            takerBuyVolume: nil, tradeCount: 0)
    }

    /// `{"error":{"name":…,"message":…}}`.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        var text: String?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "error") else { return try scanner.skip() }
            text = try HistoryText.field("message", in: &scanner)
        }
        return text
    }
}

extension JSONScanner {
    /// A time such as `2026-11-01T00:00:00`, which is in UTC without saying so.
    func plainTime(_ text: JSONText) -> Timestamp? {
        guard let plain = string(text) else { return nil }
        return Timestamp(iso8601: plain.hasSuffix("Z") ? plain : plain + "Z")
    }
}
