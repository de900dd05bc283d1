public import Instruments
public import MarketData

/// How far back an aggregator can look.
public struct CandleAggregatorConfiguration: Hashable, Sendable {
    /// Closed candles that late trades still amend, per interval in the order of `CandleInterval.allCases`.
    public var amendable: [Int]
    /// Trades whose identity is remembered.
    public var identities: Int

    /// - Parameters:
    ///   - amendable: One number of at least 1 per interval; by default 30 seconds, 10 minutes, 2 of all
    ///     else.
    ///   - identities: At least 1.
    public init(amendable: [Int] = [30, 10, 2, 2, 2, 2, 2, 2, 2], identities: Int = 4_096) {
        precondition(amendable.count == CandleInterval.allCases.count, "one number per interval")
        precondition(amendable.allSatisfy { $0 > 0 } && identities > 0, "at least one is kept")
        self.amendable = amendable
        self.identities = identities
    }
}

/// What became of a trade.
public enum CandleOutcome: Hashable, Sendable {
    /// It counts; some candles may be beyond reach, which ``CandleAggregator/takeRepairs()`` says.
    case added
    /// Its identity was seen: it changed nothing.
    case duplicate
    /// Too old to know whether it was seen: it changed nothing, and its candles must be repaired.
    case unknown
    /// A number did not fit its candle at the finer scale: the candles that hold it must be repaired.
    case overflow
}

/// Candles that an aggregator cannot bring right by itself: they must be made again from stored trades.
public struct CandleRepair: Hashable, Sendable {
    /// The first instant of which a candle is wrong.
    public var from: Timestamp
    /// The last one.
    public var to: Timestamp
    /// The longest interval that is concerned; all shorter ones are as well.
    public var longest: CandleInterval
}

/// The candles of one instrument in all intervals, made of its trades as they come.
///
/// Each trade is added to the candle of each interval, so that nothing is built from what is rounded or
/// closed. Memory is bounded by the configuration. Time is the venue's and enters by trades and
/// ``advance(to:)``.
public struct CandleAggregator: Sendable {
    private static let repairLimit = 64

    private var windows: [CandleWindow]
    private var identities: RecentIdentities
    private var gaps = GapList()
    private var repairs: [CandleRepair] = []

    /// Begins without candles.
    ///
    /// Candles that had begun earlier miss trades: mark the time until the first trade with
    /// ``markGap(from:to:)``, or give stored candles to ``restore(_:)``.
    public init(_ configuration: CandleAggregatorConfiguration = CandleAggregatorConfiguration()) {
        windows = zip(CandleInterval.allCases, configuration.amendable).map {
            CandleWindow(interval: $0, limit: $1)
        }
        identities = RecentIdentities(limit: configuration.identities)
    }

    /// Adds a trade to its candles.
    ///
    /// A trade of a later interval closes the candle before; one of a closed candle amends it.
    /// - Complexity: Constant; it allocates only when a window or the identities grow.
    public mutating func apply(_ trade: Trade) -> CandleOutcome {
        switch identities.insert(trade) {
        case .duplicate: return .duplicate
        case .unknown:
            needRepair(at: trade.venueTime, longest: .week)
            return .unknown
        case .new: break
        }
        let part = CandleTrade<Int64>(trade)
        var outcome = CandleOutcome.added
        var longest: CandleInterval?
        for index in windows.indices {
            switch windows[index].add(part, gaps: gaps) {
            case .added: continue
            case .overflow: outcome = .overflow
            case .tooLate: break
            }
            longest = windows[index].interval
        }
        if let longest { needRepair(at: trade.venueTime, longest: longest) }
        return outcome
    }

    /// Says that trades before an instant may be in restored candles: each is `unknown` from now on.
    public mutating func forget(before time: Timestamp) { identities.forget(before: time) }

    /// Closes every candle whose interval is over at a venue time.
    public mutating func advance(to time: Timestamp) {
        for index in windows.indices { windows[index].advance(to: time) }
    }

    /// Says that trades between two venue times, both included, may be missing.
    ///
    /// Every candle that shares an instant with them is `incomplete`, also one that is made later.
    public mutating func markGap(from: Timestamp, to: Timestamp) {
        precondition(from <= to, "a gap ends after it began")
        gaps.add(from: from, to: to)
        for index in windows.indices { windows[index].mark(from: from, to: to) }
    }

    /// Takes a stored candle over without publishing it again.
    ///
    /// - Returns: Whether it is within reach.
    @discardableResult
    public mutating func restore(_ candle: Candle) -> Bool {
        windows[candle.interval.rank].replace(candle, isChange: false)
    }

    /// Puts a repaired candle, or the venue's own, in the place of what is known, and publishes it.
    ///
    /// A venue's candle takes no more trades. A candle made of stored trades must hold every trade of its
    /// interval that was applied.
    /// - Returns: Whether it is within reach; if not, store it and be done.
    @discardableResult
    public mutating func replace(_ candle: Candle) -> Bool {
        windows[candle.interval.rank].replace(candle, isChange: true)
    }

    /// Hands over every candle that changed since the last call: by interval, the earliest first.
    ///
    /// Call it after every batch of trades: changed candles that leave their window wait for it, one for each
    /// interval that the batch spans.
    public mutating func drain(_ body: (Candle) -> Void) {
        for index in windows.indices { windows[index].drain(body) }
    }

    /// The newest candle of an interval; `nil` before the first trade.
    public func newest(_ interval: CandleInterval) -> Candle? { windows[interval.rank].candles.last }

    /// The candles of an interval that may still change, earliest first.
    public func candles(_ interval: CandleInterval) -> [Candle] { windows[interval.rank].candles }

    /// What must be made again from stored trades since the last call.
    public mutating func takeRepairs() -> [CandleRepair] {
        defer { repairs.removeAll(keepingCapacity: true) }
        return repairs
    }

    private mutating func needRepair(at time: Timestamp, longest: CandleInterval) {
        // One more in the candle of the last, or too many: widen it.
        if let last = repairs.last,
            repairs.count == CandleAggregator.repairLimit
                || (last.longest == longest && longest.start(of: last.to) == longest.start(of: time))
        {
            repairs[repairs.count - 1] = CandleRepair(
                from: min(last.from, time), to: max(last.to, time),
                longest: last.longest.rank < longest.rank ? longest : last.longest)
            return
        }
        repairs.append(CandleRepair(from: time, to: time, longest: longest))
    }
}
