import Alerting
package import AlertStore
package import Operations

/// What an evaluator may take, and how often it does what.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `leases.duration` | duration | 8s | 1 s...60 s |
/// | `checkpoint.interval` | duration | 2s | 100 ms...60 s |
/// | `rules.poll` | duration | 500ms | 50 ms...60 s |
/// | `blind.after` | duration | 30s | 1 s...1 h |
/// | `firings.maximumWaiting` | integer | 10000 | 100...1000000 |
/// | `firings.perHour` | integer | 60 | 0...3600, of one recurring rule; 0 for any number |
/// | `retention.deliveries` | duration | 30d | 1 d...36500 d, from when they ended |
/// | `retention.firings` | duration | 90d | 1 d...36500 d, not less than deliveries |
/// | `retention.ruleEvents` | duration | 366d | 1 d...36500 d; the last one of a rule stays |
/// | `retention.deletedRules` | duration | 7d | 1 d...36500 d, from their deletion, and as long as a firing |
/// | `database.directory` | text | none; that of `bitpal up` | of PostgreSQL's files, where that is here |
/// | `database.leastFreeMebibytes` | integer | 1024 | at most 1000000000; below it operators are told |
/// | `alerts.leastCooldown` | duration | 1s | 0 s...1 h, shared with the gateway |
package struct AlertEvaluationConfiguration: Sendable {
    /// How long a dead instance's instruments stay its own; leases are tended four times as often.
    package var leaseDuration = Duration.seconds(8)
    /// How often what is known is stored while nothing fires: what is evaluated again after a crash.
    package var checkpointInterval = Duration.seconds(2)
    /// How often rules are looked for besides being told of changes.
    package var rulePoll = Duration.milliseconds(500)
    /// Without data that can be believed for so long, owners are told.
    package var blindAfter = Duration.seconds(30)
    /// Firings of one shard that may wait for PostgreSQL; past it they are decided again from what is stored.
    package var maximumWaitingFirings = 10_000
    /// Firings of one recurring rule within an hour, past which it is quiet; 0 for any number.
    package var firingsPerHour = 60
    /// The shortest cooldown, which rules have that were stored with a shorter one.
    package var leastCooldown = Duration.seconds(1)

    /// Whether there is room where PostgreSQL keeps its files, for who tells operators; `nil` where nobody
    /// looks.
    package var room: DiskRoom?
    /// How long what rules did is kept.
    package var retention = HistoryRetention()

    package init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings) throws(ConfigurationError) {
        leaseDuration = settings[Self.leases]
        checkpointInterval = settings[Self.checkpoints]
        rulePoll = settings[Self.poll]
        blindAfter = settings[Self.blind]
        maximumWaitingFirings = settings[Self.waiting]
        firingsPerHour = settings[Self.perHour]
        leastCooldown = settings[SharedSettings.leastCooldown]
        room = DiskRoom.ofDatabase(settings)
        retention.deliveries = settings[Self.deliveries]
        retention.firings = settings[Self.firings]
        retention.ruleEvents = settings[Self.ruleEvents]
        retention.deletedRules = settings[Self.deletedRules]
    }

    /// Every key that an evaluator reads.
    package static let keys: [ConfigurationKey] = [
        leases.key, checkpoints.key, poll.key, blind.key, waiting.key, perHour.key, deliveries.key,
        firings.key, ruleEvents.key, deletedRules.key,
    ]

    private static let leases = Setting.duration(
        "leases.duration", default: .seconds(8), in: .seconds(1) ... .seconds(60),
        "How long a dead instance's instruments stay its own.")
    private static let checkpoints = Setting.duration(
        "checkpoint.interval", default: .seconds(2), in: .milliseconds(100) ... .seconds(60),
        "How often what is known is stored while nothing fires.")
    private static let poll = Setting.duration(
        "rules.poll", default: .milliseconds(500), in: .milliseconds(50) ... .seconds(60),
        "How often rules are looked for besides being told of changes.")
    private static let blind = Setting.duration(
        "blind.after", default: .seconds(30), in: .seconds(1) ... .seconds(3_600),
        "Without data that can be believed for so long, owners are told.")
    private static let waiting = Setting.integer(
        "firings.maximumWaiting", default: 10_000, in: 100...1_000_000,
        "Firings of one shard that may wait for PostgreSQL.")
    private static let perHour = Setting.integer(
        "firings.perHour", default: 60, in: 0...3_600,
        "Firings of one recurring rule within an hour, past which it is quiet; 0 for any number.")

    private static let deliveries = kept(
        "retention.deliveries", days: 30, "How long deliveries are kept after they ended.")
    private static let firings = kept(
        "retention.firings", days: 90, "How long firings are kept, and at least as long as deliveries.")
    private static let ruleEvents = kept(
        "retention.ruleEvents", days: 366, "How long changes of rules are kept; the last of each stays.")
    private static let deletedRules = kept(
        "retention.deletedRules", days: 7, "How long deleted rules are kept, and as long as their firings.")

    private static func kept(_ name: String, days: Int64, _ summary: String) -> Setting<Duration> {
        .duration(
            name, default: .seconds(days * 86_400), in: .seconds(86_400) ... .seconds(36_500 * 86_400),
            summary)
    }

    /// The engine's bounds; a shard's journal holds the last 128 evaluations.
    var limits: AlertLimits {
        var limits = AlertLimits(journal: 128, blindAfter: blindAfter.nanoseconds)
        limits.leastCooldown = leastCooldown.nanoseconds
        limits.firingsPerHour = firingsPerHour
        return limits
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
