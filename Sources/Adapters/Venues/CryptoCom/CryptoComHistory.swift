import Instruments
import MarketData

/// Crypto.com's candlesticks.
///
/// Source, not confirmed: Crypto.com, "Exchange API v1, public/get-candlestick": at most 300 rows between
/// `start_ts` and `end_ts`, by their starts.
enum CryptoComHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 300, pace: HistoryPace(perMinute: 600, cost: 1),
        address: url, read: read, complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        // Both ends may be taken for excluded: a millisecond on either side changes nothing.
        let start = question.from.nanoseconds / 1_000_000 - 1
        let end = question.to.nanoseconds / 1_000_000
        return "/exchange/v1/public/get-candlestick?instrument_name=\(URLText.escape(question.symbol))"
            + "&timeframe=\(name(question.seconds))&count=\(question.limit)&start_ts=\(start)&end_ts=\(end)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400: "1D"
        case 3_600...: "\(seconds / 3_600)h"
        default: "\(seconds / 60)m"
        }
    }

    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle]?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "result"), try scanner.peek() == 0x7B else { return try scanner.skip() }
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, "data") else { return try scanner.skip() }
                var rows: [HistoryCandle] = []
                try scanner.array { scanner throws(ScanError) in rows.append(try readRow(&scanner)) }
                candles = rows
            }
        }
        try scanner.expectEnd()
        guard let candles else { throw .malformed }
        return candles
    }

    /// `o, h, l, c, v, t`; it does not say how many trades there were.
    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: (open: DecimalNumber?, high: DecimalNumber?, low: DecimalNumber?, close: DecimalNumber?)
        var volume: Amount?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x74: start = Timestamp(milliseconds: try scanner.integer())  // t
            case 0x6F: prices.open = try scanner.rawDecimal()  // o
            case 0x68: prices.high = try scanner.rawDecimal()  // h
            case 0x6C: prices.low = try scanner.rawDecimal()  // l
            case 0x63: prices.close = try scanner.rawDecimal()  // c
            case 0x76: volume = try scanner.volume()  // v
            default: try scanner.skip()
            }
        }
        guard let start, let open = prices.open, let high = prices.high, let low = prices.low,
            let close = prices.close, let volume
        else { throw .malformed }
        return HistoryCandle(
            start: start, open: open, high: high, low: low, close: close, volume: volume, notional: nil,
            takerBuyVolume: nil, tradeCount: 0)
    }

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("message", in: &scanner)
    }
}
