import Instruments

/// How often a connection may be asked for images by subscribing anew, where the venue counts such messages
/// by the hour: some at once, one more after each pause.
struct ResubscriptionBudget: Sendable {
    private let burst: Int64
    /// Nanoseconds.
    private let pause: Int64
    private var spent: Int64 = 0
    private var countedAt = Timestamp.zero

    /// - Parameter pairs: Resubscriptions an hour, an unsubscription and a subscription each.
    init(anHour pairs: Int64) {
        // A tenth at once, so that the rest of the hour does not do without.
        burst = pairs / 10
        pause = 3_600_000_000_000 / (pairs - burst)
    }

    /// Whether one more is allowed now.
    mutating func hasRoom(at time: Timestamp) -> Bool {
        let regained = max(time.nanoseconds(since: countedAt), 0) / pause
        if spent == 0 || regained >= spent {
            (spent, countedAt) = (0, time)
        } else {
            spent -= regained
            countedAt = countedAt.adding(nanoseconds: regained * pause)
        }
        return spent < burst
    }

    mutating func spend() { spent += 1 }
}
