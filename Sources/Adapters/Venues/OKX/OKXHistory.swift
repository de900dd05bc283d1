import Instruments
import MarketData

/// OKX's candles.
///
/// Source, not confirmed: OKX API guide v5, "Get candlesticks history": at most 100 rows, newest first, 20
/// requests in 2 s; days in Hong Kong time unless the name ends with `utc`.
enum OKXHistory {
    static let route = HistoryRoute(
        lengths: HistoryRoute.usualLengths, pageSize: 100,
        pace: HistoryPace(capacity: 10, refillEvery: 200_000_000, cost: 1), address: url, read: read,
        complaint: { (scanner: inout JSONScanner) throws(ScanError) in
            try HistoryText.field("msg", in: &scanner)
        })

    private static func url(_ question: HistoryQuery) -> String {
        // Both ends are excluded: `after` is the later one.
        let start = question.from.nanoseconds / 1_000_000 - 1
        let end = question.to.nanoseconds / 1_000_000
        return "/api/v5/market/history-candles?instId=\(URLText.escape(question.symbol))"
            + "&bar=\(name(question.seconds))&after=\(end)&before=\(start)&limit=\(question.limit)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400...: "\(seconds / 86_400)Dutc"
        case 3_600...: "\(seconds / 3_600)H"
        default: "\(seconds / 60)m"
        }
    }

    /// Reads `{"code":"0","data":[[ts,o,h,l,c,vol,volCcy,volCcyQuote,confirm],…]}`.
    ///
    /// Of derivatives `vol` counts contracts, as sizes of trades do; quote volumes would not be Σ price ×
    /// size then, so none is taken. The venue does not count trades.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.okxData { scanner throws(ScanError) in
            try scanner.array { scanner throws(ScanError) in
                if let candle = try readRow(&scanner) { candles.append(candle) }
            }
        }
        return candles
    }

    /// `nil` for a candle that goes on.
    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle? {
        var start: Timestamp?
        var prices: [DecimalNumber] = []
        var volume = Amount.zero
        var isClosed = false
        try scanner.row(9) { scanner, place throws(ScanError) in
            switch place {
            case 0: start = try scanner.venueTime()
            case 1...4: prices.append(try scanner.rawDecimal())
            case 5: volume = try scanner.volume()
            case 8: isClosed = try scanner.integer() == 1
            default: try scanner.skip()
            }
        }
        guard let start, prices.count == 4 else { throw .malformed }
        guard isClosed else { return nil }
        return HistoryCandle(
            start: start, open: prices[0], high: prices[1], low: prices[2], close: prices[3], volume: volume,
            notional: nil, takerBuyVolume: nil, tradeCount: 0)
    }
}

extension JSONScanner {
    /// Reads `data` of an answer of v5 whose `code` is 0; any other is unreadable.
    mutating func okxData(
        _ body: (inout JSONScanner) throws(ScanError) -> Void
    ) throws(ScanError) {
        var code: Int64 = -1
        var data: Int?
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "code") {
                code = try scanner.integer()
            } else if scanner.equals(key, "data") {
                data = scanner.index
                try scanner.skip()
            } else {
                try scanner.skip()
            }
        }
        try expectEnd()
        guard code == 0, let data else { throw .malformed }
        index = data
        try body(&self)
    }
}
