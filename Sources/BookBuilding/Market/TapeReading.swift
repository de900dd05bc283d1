import Instruments
import MarketData
import MarketState
import MarketStore

/// What PostgreSQL has of one instrument at one instant: enough to go on from as if nothing had happened.
struct TapeReading: Sendable {
    /// Venue time of the newest stored trade; `nil` when there is none.
    var newest: Timestamp?
    /// Minutes from here on were read; the beginning of a week.
    var first = Timestamp.zero
    /// What is missing of the tape for good and ends after ``first``, earliest first.
    var holes: [StoredHole] = []
    /// What follows comes from trades, what is before from candles.
    var base = Timestamp.zero
    /// Whole candles of one minute before the base, earliest first.
    var minutes: [Candle] = []
    /// Candles of one second of the day before the base, earliest first.
    var seconds: [Candle] = []
    /// Every stored trade from the base on, by venue time and arrival.
    var trades: [Trade] = []
    /// The candles as they are stored, of all intervals, from the first minute on.
    var rows: [CandleKey: CandleRow] = [:]
    /// Venue time of the oldest stored trade.
    var oldest: Timestamp?
    /// Whether there are candles of before the span that was read.
    var hasEarlier = false
    /// Trades whose numbers did not fit a candle.
    var overflows = 0

    /// The first instant from which on nothing is missing that this system ever had; `nil` when there is
    /// nothing.
    var knownFrom: Timestamp? {
        if hasEarlier { return Timestamp(nanoseconds: .min) }
        let minute = minutes.first?.sums.openTime
        guard let oldest else { return minute }
        return min(oldest, minute ?? oldest)
    }
}

/// Which candle of an instrument.
struct CandleKey: Hashable, Sendable {
    let interval: CandleInterval
    let start: Timestamp

    init(_ candle: Candle) { (interval, start) = (candle.interval, candle.start) }

    init(_ row: CandleRow) { (interval, start) = (row.kind.interval, row.start) }

    init(_ interval: CandleInterval, _ start: Timestamp) { (self.interval, self.start) = (interval, start) }
}

/// Candles of one interval made of stored trades in the order of time.
struct CandleFold: Sendable {
    let interval: CandleInterval
    private(set) var candles: [Candle] = []
    private(set) var overflows = 0

    init(_ interval: CandleInterval) { self.interval = interval }

    mutating func add(_ trade: Trade) {
        let start = interval.start(of: trade.venueTime)
        let part = CandleTrade<Int64>(trade)
        guard let last = candles.last, last.start == start else {
            candles.append(
                Candle(interval: interval, start: start, sums: CandleSums(part), flags: .closed))
            return
        }
        do throws(CandleOverflow) {
            try candles[candles.count - 1].sums.add(part)
        } catch {
            overflows += 1
        }
    }
}
