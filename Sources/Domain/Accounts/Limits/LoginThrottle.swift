package import Instruments

/// How long to wait between attempts to show whose account something is, by what is counted for them.
///
/// It is never a lock, and stands before passwords and codes only: who has a session, a token or a passkey is
/// not kept out by anybody's attempts.
package struct LoginThrottle: Hashable, Sendable {
    /// How fast pauses grow.
    package struct Pace: Hashable, Sendable {
        /// Failures that nobody waits for.
        let free: Int
        /// The longest pause, in nanoseconds.
        let longest: Int64

        /// Of who guesses: doubles from one second to a quarter of an hour.
        package static let ofOne = Pace(free: 0, longest: 900_000_000_000)
        /// Of an account, by whomever it is guessed at: its owner waits, too, so it begins after the hundred
        /// failures that NIST SP 800-63B (5.2.2) allows an account, and ends at eight seconds.
        package static let ofAll = Pace(free: 100, longest: 8_000_000_000)
    }

    /// Failures so old count no more, in nanoseconds.
    static let memory: Int64 = 86_400_000_000_000

    /// Failures since the last success, 0 or more.
    package var failures: Int
    /// When the last of them was.
    package var last: Timestamp

    /// Describes what happened.
    package init(failures: Int = 0, last: Timestamp = .zero) {
        self.failures = failures
        self.last = last
    }

    /// Nanoseconds until the next attempt is looked at; 0 for now.
    ///
    /// An attempt that comes earlier is refused and does not count as a failure.
    package func wait(at now: Timestamp, _ pace: Pace = .ofOne) -> Int64 {
        let counted = failures - pace.free
        guard counted > 0 else { return 0 }
        let pause = counted > 10 ? pace.longest : min(1_000_000_000 << (counted - 1), pace.longest)
        let passed = now.nanoseconds(since: last)
        // A clock that was set back keeps nobody out for longer than the pause.
        return passed < 0 ? pause : max(pause - passed, 0)
    }

    /// What a failure makes of it.
    package func failed(at now: Timestamp) -> LoginThrottle {
        let isOld = now.nanoseconds(since: last) > Self.memory
        return LoginThrottle(failures: isOld ? 1 : min(failures, 1_000) + 1, last: now)
    }
}
