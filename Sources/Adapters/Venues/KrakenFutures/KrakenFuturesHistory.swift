import Instruments
import MarketData

/// Kraken Futures' candles of trades.
///
/// Source, not confirmed: Kraken, "Futures, Charts, Market candles": from and to in seconds, at most 2,000
/// candles, each with the time of its start in milliseconds; `more_candles` tells that there are more. Its
/// weeks begin on Thursday and are not ours.
enum KrakenFuturesHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 1_000,
        pace: HistoryPace(capacity: 1, refillEvery: 1_000_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        let from = question.from.nanoseconds / 1_000_000_000
        // Both ends are included.
        let to = question.to.nanoseconds / 1_000_000_000 - 1
        return "/api/charts/v1/trade/\(URLText.escape(question.symbol))/\(name(question.seconds))"
            + "?from=\(from)&to=\(to)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400...: "\(seconds / 86_400)d"
        case 3_600...: "\(seconds / 3_600)h"
        default: "\(seconds / 60)m"
        }
    }

    /// Reads `candles`: objects of `time`, `open`, `high`, `low`, `close` and `volume` in contracts.
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
        var start: Timestamp?
        var prices: [DecimalNumber?] = [nil, nil, nil, nil]
        var volume = Amount.zero
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "time") {
                start = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "open") {
                prices[0] = try scanner.rawDecimal()
            } else if scanner.equals(key, "high") {
                prices[1] = try scanner.rawDecimal()
            } else if scanner.equals(key, "low") {
                prices[2] = try scanner.rawDecimal()
            } else if scanner.equals(key, "close") {
                prices[3] = try scanner.rawDecimal()
            } else if scanner.equals(key, "volume") {
                volume = try scanner.volume()
            } else {
                try scanner.skip()
            }
        }
        guard let start, let open = prices[0], let high = prices[1], let low = prices[2],
            let close = prices[3]
        else { throw .malformed }
        // The venue does not count the trades of a candle.
        return HistoryCandle(
            start: start, open: open, high: high, low: low, close: close, volume: volume, notional: nil,
            takerBuyVolume: nil, tradeCount: 0)
    }

    /// Reads `error`, or the first of `errors` with its `message`.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        var text: String?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "error"), try scanner.peek() == 0x22 {
                text = scanner.string(try scanner.text())
            } else if scanner.equals(key, "errors"), try scanner.peek() == 0x5B {
                try scanner.array { scanner throws(ScanError) in
                    guard try scanner.peek() == 0x7B else { return try scanner.skip() }
                    let next = try HistoryText.field("message", in: &scanner)
                    text = text ?? next
                }
            } else {
                try scanner.skip()
            }
        }
        return text
    }
}
