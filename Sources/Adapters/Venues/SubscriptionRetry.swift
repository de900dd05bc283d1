import Instruments

/// Subscriptions that a venue refused because it was asked too much: all are asked for again after a pause
/// that grows with each refusal.
///
/// Books are not of these, since they are asked for again by themselves until their image comes.
struct SubscriptionRetry: Sendable {
    /// How long nothing may be refused until the pauses are short again.
    ///
    /// Nanoseconds.
    static let patience: Int64 = 60_000_000_000

    private var due: Timestamp?
    private var attempts = 0
    private var refusedAt = Timestamp.zero

    /// Whether a refusal's words ask for patience; all others are final.
    static func isPassing(_ reason: String) -> Bool {
        let words = reason.lowercased()
        return ["rate limit", "ratelimit", "too many", "overload", "try again", "temporar", "busy"]
            .contains { words.contains($0) }
    }

    /// A subscription was refused for now.
    mutating func refused(at time: Timestamp, _ governor: inout ResyncGovernor) {
        if time.nanoseconds(since: refusedAt) > SubscriptionRetry.patience { attempts = 0 }
        refusedAt = time
        guard due == nil else { return }
        attempts += 1
        // Never at once: the venue has just said no.
        due = time.adding(nanoseconds: 1_000_000_000 + governor.delay(attempts: attempts))
    }

    /// Whether it is time to ask again, which it then no longer is.
    mutating func takeDue(at time: Timestamp) -> Bool {
        guard let due, due <= time else { return false }
        self.due = nil
        return true
    }

    /// A new connection begins without refusals.
    mutating func forget() { due = nil }
}
