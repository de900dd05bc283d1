import Glibc

/// The machine's clock of the day.
package enum WallClock {
    /// Nanoseconds since 1970-01-01 UTC.
    package static func nanoseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
