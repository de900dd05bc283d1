import Instruments

/// When connections are replaced before their venue ends them.
///
/// Each at a random point of the last hour that it has, less ten minutes, so that those that were opened
/// together are not replaced together; after a failure again after a random pause, which grows.
struct RotationSchedule: Sendable {
    /// Nanoseconds.
    private static let second: Int64 = 1_000_000_000
    /// How long before a connection's end its replacement begins at the earliest, nanoseconds.
    private static let window = 3_600 * second
    /// How long before its end at the latest.
    private static let reserve = 600 * second
    /// The first and the longest pause after failures.
    private static let pauses = (60 * second, 900 * second)

    /// How long the venue keeps a connection, nanoseconds; `nil` where it ends none.
    private let lifetime: Int64?
    private var generator: any RandomNumberGenerator & Sendable
    private var failures = 0
    /// Nothing is replaced before.
    private(set) var pausedUntil = Timestamp.zero

    init(lifetime: Duration?, _ generator: any RandomNumberGenerator & Sendable) {
        self.lifetime = lifetime.map { $0.components.seconds * Self.second }
        self.generator = generator
    }

    /// When a connection that is opened now is to be replaced; `nil` for never.
    mutating func point(ofOpened time: Timestamp) -> Timestamp? {
        guard let lifetime else { return nil }
        // A venue that keeps a connection for less than four hours leaves no whole one.
        let window = min(Self.window, lifetime / 4)
        let reserve = min(Self.reserve, window / 6)
        return time.adding(nanoseconds: lifetime - Int64.random(in: reserve...window, using: &generator))
    }

    /// A replacement has failed.
    mutating func failed(at time: Timestamp) {
        let ceiling = min(Self.pauses.1, Self.pauses.0 << Int64(min(failures, 5)))
        failures += 1
        pausedUntil = time.adding(nanoseconds: Int64.random(in: ceiling / 2...ceiling, using: &generator))
    }

    /// A replacement has taken over.
    mutating func succeeded() { failures = 0 }
}
