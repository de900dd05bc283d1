import Instruments
import Support
import Testing

@testable import OperatorCommands

@Suite("Which backups stay")
struct BackupRetentionTests {
    private static let day: Int64 = 86_400_000_000_000
    private static let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)  // 2026-01-01, a Thursday

    private static func time(day: Int64, hour: Int64 = 3) -> Timestamp {
        start.adding(nanoseconds: day * Self.day + hour * 3_600_000_000_000)
    }

    private static func kept(_ retention: BackupRetention, of backups: [Timestamp]) -> [Timestamp] {
        let dropped = Set(retention.dropped(of: backups))
        return backups.filter { !dropped.contains($0) }
    }

    @Test("are those of 7 days, 4 weeks and 12 months, when there is one each day")
    func standard() {
        let backups = (0..<400).map { Self.time(day: Int64($0)) }
        let kept = Self.kept(BackupRetention(), of: backups).map { $0.iso8601(fractionDigits: 0).prefix(10) }
        // 400 days later it is Thursday, 2027-02-04.
        #expect(
            kept == [
                "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31",
                "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31", "2027-01-17", "2027-01-24",
                "2027-01-29", "2027-01-30", "2027-01-31", "2027-02-01", "2027-02-02", "2027-02-03",
                "2027-02-04",
            ])
    }

    @Test("are the newest of their day, week and month, and as many as are wanted")
    func newest() {
        property { rng in
            let retention = Self.retention(&rng)
            let backups = Self.backups(&rng)
            let kept = Self.kept(retention, of: backups)
            try #require(kept.count <= retention.days + retention.weeks + retention.months)
            try #require(kept.last == backups.last)
            let days = Set(backups.map(\.dayText)).sorted().suffix(retention.days)
            for day in days {
                let newest = backups.last { $0.dayText == day }
                try #require(kept.contains { $0 == newest }, "the newest of \(day)")
            }
            // Nothing older is kept for a day's, week's or month's sake than its newest.
            for (time, next) in zip(kept, kept.dropFirst()) {
                try #require(time.dayText != next.dayText)
            }
        }
    }

    @Test("are the same, whether what may go is removed each time or once at the end")
    func step() {
        property { rng in
            let retention = Self.retention(&rng)
            let backups = Self.backups(&rng)
            var folder: [Timestamp] = []
            for backup in backups { folder = Self.kept(retention, of: folder + [backup]) }
            try #require(folder == Self.kept(retention, of: backups))
            try #require(retention.dropped(of: folder).isEmpty)
        }
    }

    @Test("do not depend on the order in which they are named")
    func order() {
        property { rng in
            let retention = Self.retention(&rng)
            let backups = Self.backups(&rng)
            let shuffled = backups.shuffled(using: &rng)
            try #require(retention.dropped(of: shuffled) == retention.dropped(of: backups))
        }
    }

    private static func retention(_ rng: inout SeededGenerator) -> BackupRetention {
        BackupRetention(days: rng.int(1...9), weeks: rng.int(0...6), months: rng.int(0...14))
    }

    /// In their order, with days without one and days with several; also before 1970.
    private static func backups(_ rng: inout SeededGenerator) -> [Timestamp] {
        let first = Int64(rng.int(-30_000...1_000))
        return (0..<Int64(rng.int(1...300))).flatMap { day -> [Timestamp] in
            let count = rng.chance(20) ? 0 : rng.chance(80) ? 1 : 3
            return (0..<Int64(count)).map { time(day: first + day, hour: 3 + 5 * $0) }
        } + [time(day: first + 400)]
    }
}

extension Timestamp {
    fileprivate var dayText: Substring { iso8601(fractionDigits: 0).prefix(10) }
}
