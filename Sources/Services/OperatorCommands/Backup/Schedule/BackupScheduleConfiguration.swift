package import Operations

/// When and where backups are made, and which of them stay.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `directory` | text | required | `--schedule` gives it |
/// | `every` | duration | 1d | 1 m...31 d |
/// | `keep.days` | integer | 7 | 1...366, days whose newest backup stays |
/// | `keep.weeks` | integer | 4 | 0...520 |
/// | `keep.months` | integer | 12 | 0...1200 |
/// | `drill.every` | duration | 7d | 0 s...366 d, 0 for never |
/// | `leastFreeMebibytes` | integer | 256 | 0...1000000000, beside room for the next backup |
package struct BackupScheduleConfiguration: Sendable {
    var directory: String
    /// Nanoseconds.
    var every: Int64 = 86_400_000_000_000
    /// Nanoseconds; 0 for no drills.
    var drillEvery: Int64 = 7 * 86_400_000_000_000
    var retention = BackupRetention()
    /// Bytes that stay free.
    var leastFree: UInt64 = 256 << 20

    init(directory: String) { self.directory = directory }

    /// Reads what was configured.
    package init(settings: Settings) {
        directory = settings[Self.place]
        every = Int64(settings[Self.interval] / .nanoseconds(1))
        drillEvery = Int64(settings[Self.drills] / .nanoseconds(1))
        retention = BackupRetention(
            days: settings[Self.days], weeks: settings[Self.weeks], months: settings[Self.months])
        leastFree = UInt64(settings[Self.least]) << 20
    }

    /// Every key of it.
    package static let keys: [ConfigurationKey] = [
        place.key, interval.key, days.key, weeks.key, months.key, drills.key, least.key,
    ]

    private static let place = Setting.text("directory", "Where backups are kept; --schedule gives it.")
    private static let interval = Setting.duration(
        "every", default: .seconds(86_400), in: .seconds(60) ... .seconds(31 * 86_400),
        "From one backup to the next.")
    private static let days = Setting.integer(
        "keep.days", default: 7, in: 1...366, "Days whose newest backup stays.")
    private static let weeks = Setting.integer(
        "keep.weeks", default: 4, in: 0...520, "Weeks whose newest backup stays.")
    private static let months = Setting.integer(
        "keep.months", default: 12, in: 0...1_200, "Months whose newest backup stays.")
    private static let drills = Setting.duration(
        "drill.every", default: .seconds(7 * 86_400), in: .zero ... .seconds(366 * 86_400),
        "From one drill, which restores the newest backup elsewhere, to the next; 0s for none.")
    private static let least = Setting.integer(
        "leastFreeMebibytes", default: 256, in: 0...1_000_000_000,
        "MiB that stay free where backups are kept, beside room for the next one.")
}
