package import Instruments

/// What makes PostgreSQL's time of a machine's clock that nobody sets, from answers to the question what time
/// it is there.
///
/// Small differences are left alone: no decision is finer, and a clock that followed each measurement would
/// step with each answer that took longer one way than the other.
package struct ClockOffset: Hashable, Sendable {
    /// The time here before the question and after its answer, and in between the time there.
    package struct Sample: Hashable, Sendable {
        package var asked: Timestamp
        package var server: Timestamp
        package var answered: Timestamp

        package init(asked: Timestamp, server: Timestamp, answered: Timestamp) {
            (self.asked, self.server, self.answered) = (asked, server, answered)
        }
    }

    /// What a difference has to exceed to be followed, in nanoseconds.
    package static let tolerance: Int64 = 250_000_000
    /// How long a question may take: by half of it what is measured may be wrong.
    ///
    /// Nanoseconds.
    package static let longestTrip: Int64 = 500_000_000

    /// To be added to the machine's time, in nanoseconds.
    package private(set) var nanoseconds: Int64

    /// What holds as long as nothing is known.
    package init(nanoseconds: Int64 = 0) { self.nanoseconds = nanoseconds }

    /// Learns from an answer.
    ///
    /// - Returns: Whether the answer says anything; a late one does not.
    package mutating func take(_ sample: Sample) -> Bool {
        let trip = sample.answered.nanoseconds(since: sample.asked)
        guard (0...Self.longestTrip).contains(trip) else { return false }
        let measured = sample.server.nanoseconds(since: sample.asked.adding(nanoseconds: trip / 2))
        let (change, isFar) = measured.subtractingReportingOverflow(nanoseconds)
        if isFar || change.magnitude > UInt64(Self.tolerance) { nanoseconds = measured }
        return true
    }
}
