import Instruments
import MarketData

/// Kraken's OHLC data.
///
/// Source, read 2026-11: Kraken, "Spot REST API, Get OHLC data": the newest 720 rows, whatever `since` says;
/// the last is open. "API rate limits": public routes once a second. Its weeks begin on Thursday and are not
/// ours.
enum KrakenHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 720, reach: 720,
        pace: HistoryPace(capacity: 1, refillEvery: 1_000_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        // `since` is excluded. REST takes both spellings of an asset without the slash between them.
        let pair = URLText.escape(question.symbol.filter { $0 != "/" })
        let since = question.from.nanoseconds / 1_000_000_000 - 1
        return "/0/public/OHLC?pair=\(pair)&interval=\(question.seconds / 60)&since=\(since)"
    }

    /// Reads `result`: under the pair rows of time, open, high, low, close, average, volume and count.
    ///
    /// The last row is of the interval that goes on and is left out.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle]?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "result") else { return try readError(&scanner, key) }
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "last") { return try scanner.skip() }
                var rows: [HistoryCandle] = []
                try scanner.array { scanner throws(ScanError) in rows.append(try readRow(&scanner)) }
                candles = rows.dropLast()
            }
        }
        try scanner.expectEnd()
        guard let candles else { throw .malformed }
        return candles
    }

    /// An answer with an error is no answer.
    private static func readError(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) {
        guard scanner.equals(key, "error") else { return try scanner.skip() }
        var isEmpty = true
        try scanner.array { scanner throws(ScanError) in
            isEmpty = false
            try scanner.skip()
        }
        guard isEmpty else { throw .malformed }
    }

    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var seconds: Int64 = 0
        var prices: [DecimalNumber] = []
        var volume = Amount.zero
        var count: Int64 = -1
        try scanner.row(8) { scanner, place throws(ScanError) in
            switch place {
            case 0: seconds = try scanner.integer()
            case 1...4: prices.append(try scanner.rawDecimal())
            case 6: volume = try scanner.volume()
            case 7: count = try scanner.integer()
            default: try scanner.skip()
            }
        }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow, prices.count == 4, count >= 0 else { throw .malformed }
        // The average price is rounded, so that Σ price × size is not to be had from it.
        return HistoryCandle(
            start: Timestamp(nanoseconds: nanoseconds), open: prices[0], high: prices[1], low: prices[2],
            close: prices[3], volume: volume, notional: nil, takerBuyVolume: nil, tradeCount: count)
    }

    /// The first of the errors.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        var text: String?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "error") else { return try scanner.skip() }
            try scanner.array { scanner throws(ScanError) in
                let next = scanner.string(try scanner.text())
                text = text ?? next
            }
        }
        return text
    }
}
