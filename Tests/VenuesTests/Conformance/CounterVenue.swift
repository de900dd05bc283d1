import Instruments
import MarketData

@testable import Venues

/// A venue that exists only here: its changes are counted from one to the next, and that is its proof.
///
/// It arrives by its description alone.
enum CounterVenue {
    static let description = VenueDescription(
        venue: Venue(rawValue: "counter"),
        webSocketURL: "wss://feed.counter.test",
        restURL: "https://api.counter.test",
        scope: "counter",
        usualSymbols: ["AAA-BBB"],
        isUsual: false,
        options: [
            VenueOption(name: "speed", words: ["slow", "fast"], standard: "slow", summary: "How fast.")
        ],
        requests: RequestLimit(capacity: 8, refillEvery: 1_000_000_000),
        images: ImageLimit(perSecond: 2, burst: 10),
        topicsPerMessage: 10,
        connections: ConnectionBounds(
            topics: 100, parts: 2, opening: RequestLimit(capacity: 5, refillEvery: 1_000_000_000)),
        ping: .message,
        proof: .sequence,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        pairSeparator: "-",
        instrumentList: "/markets",
        history: HistoryRoute(
            lengths: [60, 3_600], pageSize: 100, pace: HistoryPace(perMinute: 60, cost: 1),
            address: { "/candles/\($0.symbol)?seconds=\($0.seconds)" }, read: candles, complaint: complaint),
        wording: { _ in VenueWording(times: .milliseconds) },
        makeSession: { CounterSession($0) })

    static let sample = VenueSample(
        description: description, first: "AAA-BBB", second: "CCC-DDD",
        list: #"[{"symbol":"AAA-BBB"}]"#,
        image: #"{"image":"AAA-BBB","n":7,"bids":[["100","2"]],"asks":[["101","1"]]}"#,
        changes: [
            #"{"change":"AAA-BBB","n":8,"bids":[["100","3"]],"asks":[]}"#,
            #"{"change":"AAA-BBB","n":9,"bids":[["99","4"]],"asks":[]}"#,
            #"{"change":"AAA-BBB","n":10,"bids":[["98.0","5"]],"asks":[]}"#,
        ],
        trades: { rows in
            let data = rows.map { #"["\#($0.price)","\#($0.size)"]"# }.joined(separator: ",")
            return [#"{"trades":"AAA-BBB","rows":[\#(data)]}"#]
        },
        tradesAnswer: { _ in nil })

    /// Rows of start in seconds, open, high, low, close, volume and count.
    private static func candles(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in
            var start: Int64 = 0
            var prices: [DecimalNumber] = []
            var volume = Amount.zero
            var count: Int64 = 0
            try scanner.row(7) { scanner, place throws(ScanError) in
                switch place {
                case 0: start = try scanner.integer()
                case 1...4: prices.append(try scanner.rawDecimal())
                case 5: volume = try scanner.volume()
                default: count = try scanner.integer()
                }
            }
            candles.append(
                HistoryCandle(
                    start: Timestamp(nanoseconds: start * 1_000_000_000), open: prices[0], high: prices[1],
                    low: prices[2], close: prices[3], volume: volume, notional: nil, takerBuyVolume: nil,
                    tradeCount: count))
        }
        try scanner.expectEnd()
        return candles
    }

    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("sorry", in: &scanner)
    }
}
