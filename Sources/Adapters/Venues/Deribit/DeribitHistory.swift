import Instruments
import MarketData

/// Deribit's data for charts.
///
/// Source, read 2026-11: Deribit API, "public/get_tradingview_chart_data": columns of numbers, volumes in the
/// base asset, also of inverse contracts, whose sizes are US dollars; minutes without a trade repeat the last
/// close. "Rate limits": some 20 requests a second for an address.
enum DeribitHistory {
    static let route = HistoryRoute(
        lengths: [60, 300, 900, 1_800, 3_600, 86_400], pageSize: 1_000,
        pace: HistoryPace(capacity: 2, refillEvery: 500_000_000, cost: 1), address: url, read: read,
        complaint: complaint)

    private static func url(_ question: HistoryQuery) -> String {
        // Both ends are included.
        let start = question.from.nanoseconds / 1_000_000
        let end = question.to.nanoseconds / 1_000_000 - 1
        let resolution = question.seconds == 86_400 ? "1D" : "\(question.seconds / 60)"
        return "/api/v2/public/get_tradingview_chart_data"
            + "?instrument_name=\(URLText.escape(question.symbol))"
            + "&start_timestamp=\(start)&end_timestamp=\(end)&resolution=\(resolution)"
    }

    private static let names: [StaticString] = ["open", "high", "low", "close"]

    /// Reads `ticks, open, high, low, close` and `volume`, a column each.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var starts: [Timestamp] = []
        var prices: [[DecimalNumber]] = [[], [], [], []]
        var volumes: [Amount] = []
        try scanner.enterDeribitResult()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "ticks") {
                try scanner.array { scanner throws(ScanError) in
                    guard let start = Timestamp(milliseconds: try scanner.integer()) else { throw .malformed }
                    starts.append(start)
                }
            } else if scanner.equals(key, "volume") {
                try scanner.array { scanner throws(ScanError) in volumes.append(try scanner.volume()) }
            } else if let place = names.firstIndex(where: { scanner.equals(key, $0) }) {
                try scanner.array { scanner throws(ScanError) in
                    prices[place].append(try scanner.rawDecimal())
                }
            } else {
                try scanner.skip()
            }
        }
        guard volumes.count == starts.count, prices.allSatisfy({ $0.count == starts.count }) else {
            throw .malformed
        }
        return starts.indices.map { place in
            HistoryCandle(
                start: starts[place], open: prices[0][place], high: prices[1][place],
                low: prices[2][place], close: prices[3][place], volume: volumes[place], notional: nil,
                takerBuyVolume: nil, tradeCount: 0)
        }
    }

    /// Reads the `message` of `error`.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        var text: String?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "error"), try scanner.peek() == 0x7B else { return try scanner.skip() }
            text = try HistoryText.field("message", in: &scanner)
        }
        return text == "too_many_requests" ? "Too many requests" : text
    }
}
