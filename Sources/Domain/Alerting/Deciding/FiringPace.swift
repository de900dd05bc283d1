public import Instruments

/// A time for which a rule is not told, since it fired too often within an hour.
public struct QuietPeriod: Hashable, Sendable {
    /// When the first firing was left out.
    public var since: Timestamp
    /// When it is over: half of what an hour may have is free again then, so that it does not begin anew
    /// with the next firing.
    public var until: Timestamp
    /// How many firings an hour may have.
    public var limit: Int
    /// How many firings were left out.
    public var leftOut: Int64

    public init(since: Timestamp, until: Timestamp, limit: Int, leftOut: Int64 = 1) {
        (self.since, self.until, self.limit, self.leftOut) = (since, until, limit, leftOut)
    }
}

/// How often a recurring rule fired lately, and what is left out while that is too often.
///
/// By the time of events alone: whoever evaluates them again decides the same.
public struct FiringPace: Hashable, Sendable {
    /// When it fired, ascending: the latest, at most as many as an hour may have.
    public internal(set) var times: [Timestamp]
    /// What is left out now; `nil` while all is told.
    public internal(set) var quiet: QuietPeriod?

    /// What becomes of a firing.
    enum Verdict {
        case fires
        /// It is the first that is left out.
        case begins(QuietPeriod)
        case leftOut(until: Timestamp)
    }

    /// Nanoseconds.
    static let hour: Int64 = 3_600_000_000_000

    public init(times: [Timestamp] = [], quiet: QuietPeriod? = nil) {
        (self.times, self.quiet) = (times, quiet)
    }

    /// Counts what is to fire; a quiet period that is over by then was ended before.
    ///
    /// - Precondition: limit > 0.
    mutating func take(_ time: Timestamp, limit: Int) -> Verdict {
        if let until = quiet?.until {
            quiet?.leftOut += 1
            return .leftOut(until: until)
        }
        let first = times.count - limit
        guard first >= 0, time.nanoseconds(since: times[first]) < Self.hour else {
            count(time, limit)
            return .fires
        }
        // The first of these leaves the hour later than now, as does each after it.
        let until = times[first + (limit - 1) / 2].adding(nanoseconds: Self.hour)
        let period = QuietPeriod(since: time, until: until, limit: limit)
        quiet = period
        return .begins(period)
    }

    private mutating func count(_ time: Timestamp, _ limit: Int) {
        let place = times.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
        times.insert(time, at: place)
        if times.count > limit { times.removeFirst(times.count - limit) }
        // An hour more than counts, for events that come out of their order.
        guard let last = times.last else { return }
        let old = times.prefix { last.nanoseconds(since: $0) >= 2 * Self.hour }.count
        times.removeFirst(old)
    }
}
