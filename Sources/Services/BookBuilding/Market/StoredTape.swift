import Instruments
import MarketData
import MarketState
import MarketStore

/// What PostgreSQL has of one instrument at one instant: enough to go on from as if nothing had happened.
struct StoredTape: Sendable {
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
    /// Venue time of the trade that opened the oldest stored minute that is made of trades.
    var oldestMade: Timestamp?
    /// Trades whose numbers did not fit a candle.
    var overflows = 0

    /// The first instant from which on nothing is missing that this system ever had, but for the holes; `nil`
    /// when there is nothing.
    ///
    /// The venue's own minutes do not count: they may have been fetched of any time before, and between them
    /// and the first trade nobody followed.
    var knownFrom: Timestamp? {
        guard let oldest, let oldestMade else { return oldest ?? oldestMade }
        return min(oldest, oldestMade)
    }

    /// Whether a longer candle has minutes of before the tape that nobody knows whole.
    ///
    /// From the minute after the tape's beginning on a minute without trades is known to have none. Each one
    /// before must be there, and complete.
    func lacksMinutes(_ candle: Candle) -> Bool {
        guard let knownFrom, candle.start < knownFrom else { return false }
        let begun = CandleInterval.minute.start(of: knownFrom)
        let isCut = begun < knownFrom
        let end = min(candle.end, isCut ? CandleInterval.minute.end(from: begun) : begun)
        var next = candle.start
        for minute in minutes[firstMinute(atOrAfter: next)...] {
            guard next < end, minute.start == next, !minute.flags.contains(.incomplete) else { break }
            // What was made of the trades after the beginning is a part of its minute.
            if isCut, minute.start == begun, !minute.flags.contains(.fromVenue) { break }
            next = minute.end
        }
        return next < end
    }

    private func firstMinute(atOrAfter time: Timestamp) -> Int {
        var places = 0..<minutes.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            places =
                minutes[middle].start < time ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return places.lowerBound
    }
}

/// Which candle of an instrument.
struct CandleKey: Hashable, Sendable {
    let interval: CandleInterval
    let start: Timestamp

    init(_ candle: Candle) { (interval, start) = (candle.interval, candle.start) }

    init(_ row: CandleRow) { (interval, start) = (row.interval, row.start) }

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
