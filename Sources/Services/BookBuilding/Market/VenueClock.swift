import Instruments

/// What time it is at a venue, by its trades.
///
/// The time is that of its newest believed trade plus what has passed here since that trade came, and never
/// more: so candles close in a quiet market, and a recording of an old session has the time of its session.
/// A trade is not believed that is more than an hour ahead of it, or a day ahead of our own clock,
/// because one wrong time would close every candle and empty every window of the venue. Ten such trades in
/// a row that agree to the hour are believed: then it was the session that changed.
struct VenueClock: Sendable {
    /// How far a trade may be ahead, nanoseconds.
    static let tolerance: Int64 = 3_600_000_000_000
    /// Trades in a row that move the clock whatever it says.
    static let witnesses = 10

    private var newest: Timestamp?
    /// When the newest one came.
    private var heardAt = Timestamp.zero
    /// When the last one came.
    private var lastAt: Timestamp?
    private var claim: (time: Timestamp, count: Int)?

    /// Whether a trade's time may be true; if so, the clock goes on.
    mutating func believes(_ time: Timestamp, at now: Timestamp) -> Bool {
        guard time.nanoseconds(since: now) <= 24 * Self.tolerance else { return false }
        guard let newest, time.nanoseconds(since: self.time(at: now) ?? newest) > Self.tolerance else {
            claim = nil
            lastAt = now
            note(time, at: now)
            return true
        }
        let isSame = claim.map { abs(time.nanoseconds(since: $0.time)) <= Self.tolerance } ?? false
        let count = isSame ? (claim?.count ?? 0) + 1 : 1
        claim = (time, count)
        guard count >= Self.witnesses else { return false }
        claim = nil
        lastAt = now
        note(time, at: now)
        return true
    }

    /// A trade is known that happened at that time, from now or from before.
    mutating func note(_ time: Timestamp, at now: Timestamp) {
        guard newest.map({ time > $0 }) ?? true else { return }
        newest = time
        heardAt = now
    }

    /// The venue's time now; `nil` before its first trade.
    func time(at now: Timestamp) -> Timestamp? {
        newest.map { $0.adding(nanoseconds: max(0, now.nanoseconds(since: heardAt))) }
    }

    /// Nanoseconds since its last trade came; `nil` before the first.
    func silence(at now: Timestamp) -> Int64? { lastAt.map { now.nanoseconds(since: $0) } }

    /// The latest time that a trade may have to be believed now.
    func horizon(at now: Timestamp) -> Timestamp {
        let most = now.adding(nanoseconds: 24 * Self.tolerance)
        return min(most, time(at: now)?.adding(nanoseconds: Self.tolerance) ?? most)
    }
}
