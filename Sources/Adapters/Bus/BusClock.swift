import Glibc
package import Instruments

/// The two clocks that the bus reads, each once per burst and never in code that decides.
package enum BusClock {
    /// Nanoseconds of a clock that never jumps, for deadlines.
    package static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Nanoseconds since the machine was started, also those in which it slept; it never jumps.
    package static func sinceStart() -> Int64 { read(CLOCK_BOOTTIME) }

    /// The time of day, for what other machines compare.
    package static func wall() -> Timestamp { Timestamp(nanoseconds: read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
