package import Instruments

/// Which lives of publishers are believed.
///
/// An epoch is the time at which its publisher began, and the greatest one is taken for the present: one far
/// in the future would outlast every true one.
package enum PublisherEpoch {
    /// By how much clocks of machines may differ, nanoseconds: a day.
    private static let tolerance: Int64 = 86_400_000_000_000

    /// The latest epoch that somebody may have at a time of day.
    package static func latest(at time: Timestamp) -> UInt64 {
        let (latest, isOver) = time.nanoseconds.addingReportingOverflow(tolerance)
        return isOver ? UInt64(Int64.max) : UInt64(clamping: latest)
    }
}
