import Instruments
import MarketState

/// Which candles of an instrument its venue is asked for, because the feed left them incomplete.
///
/// One question at a time, the shortest and earliest candles first. What the venue does not have is asked for
/// five times in all, ever more slowly: its newest candles may come a little late. What it gave is kept until
/// it is known to be stored.
struct CandleRefetch: Sendable {
    /// A stretch of candles, the end excluded.
    struct Question: Hashable, Sendable {
        let interval: CandleInterval
        let span: Range<Timestamp>
    }

    /// Candles that wait, and those that were given up, at most.
    static let limit = 5_000
    /// Candles of one question at most.
    private static let page: Int64 = 500
    private static let answers = 5
    /// Nanoseconds.
    private static let firstPause: Int64 = 2_000_000_000
    /// Nanoseconds.
    private static let longestPause: Int64 = 600_000_000_000

    /// The lengths that the venue has.
    let intervals: Set<CandleInterval>
    /// How often the venue answered without it.
    private var wanted: [CandleKey: Int] = [:]
    private var hopeless: Set<CandleKey> = []
    /// What the venue gave and is not known to be stored.
    private(set) var given: [CandleKey: Candle] = [:]
    private(set) var asked: Question?
    private var askAt = Timestamp(nanoseconds: .min)
    private var pause = CandleRefetch.firstPause

    init(_ intervals: Set<CandleInterval>) { self.intervals = intervals }

    /// A candle is over and incomplete.
    ///
    /// - Returns: Whether the venue can be asked for it.
    @discardableResult
    mutating func want(_ key: CandleKey) -> Bool {
        guard intervals.contains(key.interval) else { return false }
        if wanted[key] == nil, given[key] == nil, !hopeless.contains(key), wanted.count < Self.limit {
            wanted[key] = 0
        }
        return true
    }

    /// What is incomplete is looked for again.
    mutating func restart() { wanted.removeAll() }

    /// Whether candles of a length are waited for.
    func isWaiting(for interval: CandleInterval) -> Bool {
        wanted.keys.contains { $0.interval == interval }
    }

    /// The next question, which counts as asked.
    mutating func next(at now: Timestamp) -> Question? {
        guard !wanted.isEmpty, asked == nil, now >= askAt else { return nil }
        let keys = wanted.keys.sorted { ($0.interval.rank, $0.start) < ($1.interval.rank, $1.start) }
        guard let first = keys.first else { return nil }
        let limit = first.start.adding(nanoseconds: Self.page * first.interval.nanoseconds)
        let last = keys.last { $0.interval == first.interval && $0.start < limit } ?? first
        asked = Question(
            interval: first.interval, span: first.start..<first.interval.end(from: last.start))
        return asked
    }

    /// The venue answered, or did not: `nil`.
    ///
    /// - Returns: The candles that were wanted, earliest first.
    mutating func take(_ candles: [Candle]?, to question: Question, at now: Timestamp) -> [Candle] {
        guard asked == question else { return [] }
        asked = nil
        // tidy: unordered-iteration Each is about another candle.
        let keys = wanted.keys.filter {
            $0.interval == question.interval && question.span.contains($0.start)
        }
        let found = (candles ?? []).filter { wanted[CandleKey($0)] != nil }
        for candle in found {
            wanted[CandleKey(candle)] = nil
            given[CandleKey(candle)] = candle
        }
        for key in keys where candles != nil && given[key] == nil { miss(key) }
        if found.count == keys.count {
            pause = Self.firstPause
        } else {
            askAt = now.adding(nanoseconds: pause)
            pause = min(pause * 2, Self.longestPause)
        }
        return found
    }

    private mutating func miss(_ key: CandleKey) {
        let answers = (wanted[key] ?? 0) + 1
        wanted[key] = answers < Self.answers ? answers : nil
        guard answers >= Self.answers else { return }
        if hopeless.count >= Self.limit { hopeless.removeAll() }
        hopeless.insert(key)
    }

    /// A candle is stored as the venue has it.
    mutating func settle(_ key: CandleKey) {
        given[key] = nil
        wanted[key] = nil
    }
}
