import Instruments
import Web

/// How things stand with one provider: what was asked of it, and until when it is left alone.
struct ProviderStanding: Sendable {
    /// After a refusal of who asks it is left alone for so long at least: asking makes no key good.
    static let hour: Int64 = 3_600_000_000_000
    /// After "too many" without a time, at least so long.
    static let minute: Int64 = 60_000_000_000

    let use: ProviderUse
    private var limit = RateLimit()
    private var backoff = Backoff(base: 5_000_000_000, cap: 900_000_000_000, healthyAfter: 1)
    private(set) var blockedUntil: Timestamp?
    /// The month that is counted, such as `2026-11`, and what was asked in it.
    private(set) var month = ""
    private(set) var asked = 0

    init(_ use: ProviderUse) { self.use = use }

    /// Failures since the last answer.
    var failures: Int { backoff.failures }

    static func month(of time: Timestamp) -> String {
        String(time.iso8601(fractionDigits: 0).prefix(7))
    }

    /// Requests that the month still allows; `nil` without an end.
    func left(at now: Timestamp) -> Int? {
        use.perMonth.map { max($0 - (month == Self.month(of: now) ? asked : 0), 0) }
    }

    /// Whether it is left alone, or the month is used up.
    func isOut(at now: Timestamp) -> Bool {
        (blockedUntil.map { $0 > now } ?? false) || left(at: now) == 0
    }

    /// Nanoseconds until the next request, if it is not out.
    mutating func wait(at now: Timestamp) -> Int64 {
        limit.settle(of: use.policy, at: now)
        return limit.wait(of: use.policy, at: now)
    }

    /// Takes the place of a request; also one that will fail counts.
    mutating func take(at now: Timestamp) {
        _ = limit.take(of: use.policy, at: now)
        count(1, at: now)
    }

    /// Counts requests of the month of `now`, such as those before a restart.
    mutating func count(_ requests: Int, at now: Timestamp) {
        let current = Self.month(of: now)
        if month != current { (month, asked) = (current, 0) }
        asked += requests
    }

    /// It answered: nothing keeps it from being asked again.
    mutating func noteAnswer() {
        backoff.reset()
        blockedUntil = nil
    }

    /// Leaves it alone for a while.
    mutating func note(
        _ failure: ProviderFailure, at now: Timestamp, using generator: inout some RandomNumberGenerator
    ) {
        let least: Int64
        switch failure {
        case .refused(let status, let asked):
            let own = [401, 402, 403].contains(status) ? Self.hour : status == 429 ? Self.minute : 0
            least = max(asked ?? 0, own)
        case .unanswered, .malformed: least = 0
        }
        blockedUntil = now.adding(nanoseconds: backoff.delay(atLeast: least, using: &generator))
    }
}
