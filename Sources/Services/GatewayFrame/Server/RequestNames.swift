import Glibc
import Synchronization

/// Makes the names of requests: the beginning of the process' name, and a count.
final class RequestNames: Sendable {
    private let prefix: String
    private let count = Atomic<UInt64>(0)

    init(instance: String) { prefix = String(instance.prefix(8)) }

    /// The next one: `3f2a91c0-42`.
    func next() -> String { "\(prefix)-\(count.add(1, ordering: .relaxed).newValue)" }
}

/// A clock that never steps.
enum MonotonicClock {
    /// Nanoseconds since the machine was started.
    static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
