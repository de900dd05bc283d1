import Instruments

/// Which backups of a schedule stay: the newest of each of the last days, weeks and months that have one.
///
/// Days, weeks from Monday on and months are those of UTC. The newest of all stays in any case.
struct BackupRetention: Hashable, Sendable {
    var days = 7
    var weeks = 4
    var months = 12

    /// Decides which go.
    ///
    /// - Parameter backups: When each was made, in any order.
    /// - Returns: Those that go, the newest first.
    func dropped(of backups: [Timestamp]) -> [Timestamp] {
        let newest = backups.sorted(by: >)
        var kept = Set(newest.prefix(1))
        for (count, period) in [(days, Self.day), (weeks, Self.week), (months, Self.month)] {
            var last: Int64?
            var left = count
            for time in newest where left > 0 && period(time) != last {
                last = period(time)
                left -= 1
                kept.insert(time)
            }
        }
        return newest.filter { !kept.contains($0) }
    }

    private static let day: @Sendable (Timestamp) -> Int64 = { time in
        let (days, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 86_400_000_000_000)
        return rest < 0 ? days - 1 : days
    }

    /// 1970-01-01 was a Thursday.
    private static let week: @Sendable (Timestamp) -> Int64 = { time in
        let (weeks, rest) = (day(time) + 3).quotientAndRemainder(dividingBy: 7)
        return rest < 0 ? weeks - 1 : weeks
    }

    private static let month: @Sendable (Timestamp) -> Int64 = { time in
        let civil = time.civilDay
        return civil.year * 12 + civil.month
    }
}
