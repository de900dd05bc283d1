import Instruments

/// When the next backup and the next drill of a schedule are due.
struct BackupAgenda: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Backs up.
        case backup
        /// Restores the newest backup into a database of its own.
        case drill
        /// Nothing is due for so many nanoseconds.
        case wait(Int64)
    }

    /// How one of the two went.
    struct Record: Hashable, Sendable {
        /// When it last succeeded; `nil` for never.
        var succeeded: Timestamp?
        /// When it last failed, and how many times in a row.
        var failed: Timestamp?
        var failures = 0

        mutating func succeed(at time: Timestamp) { self = Record(succeeded: time) }

        mutating func fail(at time: Timestamp) {
            failed = time
            failures += 1
        }
    }

    /// Nanoseconds from one backup to the next.
    var every: Int64
    /// Nanoseconds from one drill to the next; 0 for none.
    var drillEvery: Int64
    var backups = Record()
    var drills = Record()

    /// A failure is tried again after five minutes, then after twice as long each time, up to an hour.
    static func pause(after failures: Int) -> Int64 {
        min(300_000_000_000 << Int64(min(max(failures - 1, 0), 4)), 3_600_000_000_000)
    }

    /// What is to be done; a backup comes before its drill.
    func next(at now: Timestamp) -> Step {
        let backup = Self.left(of: every, backups, at: now)
        if backup <= 0 { return .backup }
        guard drillEvery > 0, backups.succeeded != nil else { return .wait(backup) }
        let drill = Self.left(of: drillEvery, drills, at: now)
        return drill <= 0 ? .drill : .wait(min(backup, drill))
    }

    /// Nanoseconds until it is due.
    ///
    /// What is dated in the future says that the clock was set back: nobody knows how long ago it was.
    private static func left(of interval: Int64, _ record: Record, at now: Timestamp) -> Int64 {
        if let failed = record.failed {
            let pause = min(pause(after: record.failures), interval)
            return left(of: pause, since: failed, at: now)
        }
        guard let succeeded = record.succeeded else { return 0 }
        return left(of: interval, since: succeeded, at: now)
    }

    private static func left(of span: Int64, since time: Timestamp, at now: Timestamp) -> Int64 {
        let passed = now.nanoseconds(since: time)
        return passed < 0 ? 0 : span - passed
    }
}
