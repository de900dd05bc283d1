import Instruments
import Metrics

/// What a schedule of backups says of itself, as metrics and on the bus.
struct BackupFigures: Sendable {
    private let written = Counter(label: "backup_written_total")
    private let failed = Counter(label: "backup_failures_total")
    private let removed = Counter(label: "backup_removed_total")
    private let lastSuccess = Gauge(label: "backup_last_success_time_seconds")
    private let lastDrill = Gauge(label: "backup_last_drill_time_seconds")
    private let isBroken = Gauge(label: "backup_problem")
    private let size = Gauge(label: "backup_size_bytes")
    private let kept = Gauge(label: "backup_kept")

    /// The newest backup that there is.
    func stand(newest bytes: UInt64, at time: Timestamp) {
        size.record(bytes)
        lastSuccess.record(time.nanoseconds / 1_000_000_000)
    }

    /// The last drill that went well.
    func stand(drilledAt time: Timestamp) { lastDrill.record(time.nanoseconds / 1_000_000_000) }

    func write(_ bytes: UInt64, at time: Timestamp) {
        written.increment()
        stand(newest: bytes, at: time)
    }

    func fail() { failed.increment() }

    func remove(_ count: Int) { removed.increment(by: count) }

    /// A drill; a failed one leaves the time as it was.
    func drill(_ outcome: String, at time: Timestamp?) {
        Counter(label: "backup_drills_total", dimensions: [("outcome", outcome)]).increment()
        if let time { stand(drilledAt: time) }
    }

    /// What holds until the next step.
    func stand(kept count: Int, isBroken broken: Bool) {
        kept.record(count)
        isBroken.record(broken ? 1 : 0)
    }
}
