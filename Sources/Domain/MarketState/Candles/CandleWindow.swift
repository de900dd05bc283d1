import Instruments

/// The newest candles of one interval: those that may still change.
struct CandleWindow: Sendable {
    /// What became of a trade.
    enum Outcome {
        case added
        case tooLate
        case overflow
    }

    let interval: CandleInterval
    /// Closed candles that are kept open to amendment.
    private let limit: Int
    /// By start, the earliest first.
    private(set) var candles: [Candle] = []
    /// Which of them were not drained since they changed; a bit per candle would save little.
    private var changed: [Bool] = []
    /// Changed candles that had to leave before they were drained.
    private var departed: [Candle] = []
    /// The start of the latest candle that left; that one and all before are out of reach.
    private var horizon: Timestamp?
    /// The end of the newest candle.
    private var newestEnd = Timestamp(nanoseconds: .min)

    init(interval: CandleInterval, limit: Int) {
        self.interval = interval
        self.limit = limit
    }

    mutating func add(_ trade: CandleTrade<Int64>, gaps: GapList) -> Outcome {
        // Nearly every trade belongs to the newest candle, and then nothing is divided or searched.
        let newest = candles.count - 1
        if newest >= 0, candles[newest].start <= trade.time, trade.time < newestEnd {
            return add(trade, at: newest)
        }
        let start = interval.start(of: trade.time)
        guard newest >= 0, start < candles[newest].start else {
            closeLast()
            insert(Candle(interval: interval, start: start, sums: CandleSums(trade)), candles.count, gaps)
            return .added
        }
        if let horizon, start <= horizon { return .tooLate }
        var index = newest
        while index > 0, candles[index].start > start { index -= 1 }
        guard candles[index].start == start else {
            let place = candles[index].start < start ? index + 1 : index
            let late = Candle(
                interval: interval, start: start, sums: CandleSums(trade), flags: [.closed, .amended])
            insert(late, place, gaps)
            return .added
        }
        return add(trade, at: index)
    }

    private mutating func add(_ trade: CandleTrade<Int64>, at index: Int) -> Outcome {
        // A venue's candle has its trades already.
        if candles[index].flags.contains(.fromVenue) { return .added }
        do throws(CandleOverflow) {
            try candles[index].sums.add(trade)
        } catch {
            return .overflow
        }
        if candles[index].flags.contains(.closed) { candles[index].flags.insert(.amended) }
        changed[index] = true
        return .added
    }

    /// Closes the last candle if its interval is over at `time`.
    mutating func advance(to time: Timestamp) {
        if let last = candles.last, last.end <= time { closeLast() }
    }

    /// Marks the candles that share an instant with [from, to].
    mutating func mark(from: Timestamp, to: Timestamp) {
        for index in candles.indices where candles[index].touches(from: from, to: to) {
            // A venue's candle knows more than the feed that had the gap.
            if candles[index].flags.contains(.incomplete) || candles[index].flags.contains(.fromVenue) {
                continue
            }
            candles[index].flags.insert(.incomplete)
            changed[index] = true
        }
    }

    /// Puts a candle in the place of what is known, as when it comes from the store or the venue.
    ///
    /// - Returns: Whether it is within reach.
    mutating func replace(_ candle: Candle, isChange: Bool) -> Bool {
        if let horizon, candle.start <= horizon { return false }
        let place = candles.firstIndex { $0.start >= candle.start } ?? candles.count
        if place < candles.count, candles[place].start == candle.start {
            candles[place] = candle
            changed[place] = isChange
        } else {
            if place == candles.count { closeLast() }
            insert(candle, place, nil, isChange: isChange)
        }
        return true
    }

    /// Hands over every candle that changed since the last call, earliest first.
    mutating func drain(_ body: (Candle) -> Void) {
        for candle in departed { body(candle) }
        departed.removeAll(keepingCapacity: true)
        for index in candles.indices where changed[index] {
            body(candles[index])
            changed[index] = false
        }
    }

    private mutating func closeLast() {
        guard let last = candles.last, !last.flags.contains(.closed) else { return }
        candles[candles.count - 1].flags.insert(.closed)
        changed[changed.count - 1] = true
    }

    private mutating func insert(
        _ candle: Candle, _ place: Int, _ gaps: GapList?, isChange: Bool = true
    ) {
        var candle = candle
        if let gaps, gaps.touch(candle) { candle.flags.insert(.incomplete) }
        candles.insert(candle, at: place)
        changed.insert(isChange, at: place)
        newestEnd = candles.last?.end ?? newestEnd
        guard candles.count > limit + 1 else { return }
        let first = candles.removeFirst()
        if changed.removeFirst() { departed.append(first) }
        horizon = first.start
    }
}

extension Candle {
    /// Whether it shares an instant with [from, to].
    func touches(from: Timestamp, to: Timestamp) -> Bool { start <= to && end > from }
}

/// The newest gaps of a feed, in bounded memory: too many become fewer and wider ones.
struct GapList: Sendable {
    private static let limit = 32
    private var gaps: [(from: Timestamp, to: Timestamp)] = []

    /// Takes a gap from an instant to another, both included.
    mutating func add(from: Timestamp, to: Timestamp) {
        gaps.append((from, to))
        guard gaps.count > GapList.limit else { return }
        // Rather a complete candle marked than an incomplete one unmarked.
        let (first, second) = (gaps[0], gaps[1])
        gaps.replaceSubrange(0...1, with: [(min(first.from, second.from), max(first.to, second.to))])
    }

    /// Whether a candle shares an instant with one of them.
    func touch(_ candle: Candle) -> Bool {
        gaps.contains { candle.touches(from: $0.from, to: $0.to) }
    }
}
