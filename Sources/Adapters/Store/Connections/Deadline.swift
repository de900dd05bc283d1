import CLinux
import Glibc

/// A point in time at which a wait ends; never, when there is no limit.
struct Deadline {
    private let instant: ContinuousClock.Instant?

    /// - Parameter limit: Zero means no limit.
    init(after limit: Duration) {
        instant = limit > .zero ? ContinuousClock.now + limit : nil
    }

    /// What `poll` takes: milliseconds, 0 when the time is over, -1 when there is no limit.
    var pollTimeout: Int32 {
        guard let instant else { return -1 }
        return Int32(clamping: (instant - ContinuousClock.now).milliseconds)
    }

    /// A limit that is over already: a look, not a wait.
    static var now: Deadline { Deadline(after: .nanoseconds(1)) }

    var isOver: Bool { instant.map { $0 <= ContinuousClock.now } ?? false }
}

/// Why a wait ended.
enum WaitOutcome {
    case ready, woken, timedOut
}

/// Waits until the socket is ready, the signal is raised or the time is over.
///
/// A negative descriptor is ignored. A broken socket counts as ready, so that libpq reports it. Without a
/// signal it waits for the socket only.
func waitForSocket(
    _ descriptor: Int32, events: Int32, signal: WakeSignal?, until deadline: Deadline
) -> WaitOutcome {
    while true {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: signal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&descriptors, 2, deadline.pollTimeout)
        if count < 0, errno == EINTR { continue }
        if descriptors[0].revents != 0 { return .ready }
        if descriptors[1].revents != 0 { return .woken }
        if deadline.isOver { return .timedOut }
    }
}
