import Instruments

/// Which real time a recorded time is due at.
///
/// Real times are of a monotonic clock, in nanoseconds of any origin.
struct PlaybackClock: Hashable, Sendable {
    private struct Anchor: Hashable {
        var real: Timestamp
        var recorded: Timestamp
    }

    let speed: PlaybackSpeed
    private var anchor: Anchor?

    init(speed: PlaybackSpeed) { self.speed = speed }

    /// From now on the recorded time is due at this real time, and what follows accordingly later.
    mutating func start(_ recorded: Timestamp, at real: Timestamp) {
        anchor = Anchor(real: real, recorded: recorded)
    }

    /// Forgets where it was.
    mutating func stop() { anchor = nil }

    var isRunning: Bool { anchor != nil }

    /// When a recorded time is due; at once at maximum speed and before the start.
    func due(_ recorded: Timestamp) -> Timestamp {
        guard let anchor, case .times(let times) = speed else { return Timestamp(nanoseconds: .min) }
        return anchor.real.adding(nanoseconds: recorded.nanoseconds(since: anchor.recorded) / Int64(times))
    }
}
