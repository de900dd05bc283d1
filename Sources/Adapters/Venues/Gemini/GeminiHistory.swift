import Instruments
import MarketData

/// Gemini's candles.
///
/// Sources: Gemini, developer documentation, "Candles", not confirmed: the newest ones only, a day of
/// minutes; "Rate limit": one public request a second.
enum GeminiHistory {
    static let route = HistoryRoute(
        lengths: [60, 300, 900, 1_800, 3_600, 86_400], pageSize: 1_440, reach: 1_440,
        pace: HistoryPace(capacity: 1, refillEvery: 1_000_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        "/v2/candles/\(URLText.escape(question.symbol.lowercased()))/\(name(question.seconds))"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400: "1day"
        case 3_600: "1hr"
        default: "\(seconds / 60)m"
        }
    }

    /// Reads rows of open time, open, high, low, close and volume, as bare numbers.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in
            var start: Timestamp?
            var prices: [DecimalNumber] = []
            var volume = Amount.zero
            try scanner.row(6) { scanner, place throws(ScanError) in
                switch place {
                case 0: start = Timestamp(milliseconds: try scanner.integer())
                case 1...4: prices.append(try scanner.rawDecimal().normalized)
                default: volume = try scanner.volume()
                }
            }
            guard let start, prices.count == 4 else { throw .malformed }
            // Trades are not counted by the venue.
            candles.append(
                HistoryCandle(
                    start: start, open: prices[0], high: prices[1], low: prices[2], close: prices[3],
                    volume: volume, notional: nil, takerBuyVolume: nil, tradeCount: 0))
        }
        try scanner.expectEnd()
        return candles
    }

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("message", in: &scanner)
    }
}
