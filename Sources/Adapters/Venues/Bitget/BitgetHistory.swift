import Instruments
import MarketData

/// Bitget's candles, of spot and of futures.
///
/// Source, not confirmed: Bitget API documentation v2, "Get Historical Candlestick" of spot and of futures:
/// at most 200 rows up to `endTime`, 20 requests a second; days in Hong Kong time unless the name ends with
/// `utc`.
enum BitgetHistory {
    static let route = HistoryRoute(
        // One less than it gives, so that it does not matter whether the end is included.
        lengths: HistoryRoute.usualLengths, pageSize: 199,
        pace: HistoryPace(capacity: 10, refillEvery: 100_000_000, cost: 1), address: url, read: read,
        complaint: { (scanner: inout JSONScanner) throws(ScanError) in
            try HistoryText.field("msg", in: &scanner)
        })

    private static func url(_ question: HistoryQuery) -> String {
        let symbol = BitgetSymbol(question.symbol)
        let end = question.to.nanoseconds / 1_000_000
        return "\(symbol.route)history-candles?\(symbol.query)"
            + "&granularity=\(name(question.seconds, isSpot: symbol.isSpot))&endTime=\(end)&limit=200"
    }

    private static func name(_ seconds: Int64, isSpot: Bool) -> String {
        switch seconds {
        case 86_400...: "\(seconds / 86_400)Dutc"
        case 3_600...: "\(seconds / 3_600)\(isSpot ? "h" : "H")"
        default: "\(seconds / 60)\(isSpot ? "min" : "m")"
        }
    }

    /// Reads `{"code":"00000","data":[[ts,o,h,l,c,base volume,…],…]}`; the venue does not count trades.
    ///
    /// The columns of quote volumes are in another order of spot than of futures, and rounded: none is taken.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.bitgetData { scanner throws(ScanError) in
            try scanner.array { scanner throws(ScanError) in candles.append(try readRow(&scanner)) }
        }
        return candles
    }

    private static func readRow(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: [DecimalNumber] = []
        var volume = Amount.zero
        try scanner.row(6) { scanner, place throws(ScanError) in
            switch place {
            case 0: start = try scanner.venueTime()
            case 5: volume = try scanner.volume()
            default: prices.append(try scanner.rawDecimal())
            }
        }
        guard let start, prices.count == 4 else { throw .malformed }
        return HistoryCandle(
            start: start, open: prices[0], high: prices[1], low: prices[2], close: prices[3], volume: volume,
            notional: nil, takerBuyVolume: nil, tradeCount: 0)
    }
}
