import Operations

/// The gateway's connections to PostgreSQL: some for what is answered at once, others for what may take long
/// (exports, imports, reports), and how long that may take.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `database.connections` | integer | 8 | 1...64 |
/// | `slow.connections` | integer | 6 | 3...64, of exports, imports and reports |
/// | `slow.statementTimeout` | duration | 60s | 1 s...1 h, of one statement of them |
/// | `slow.readerTimeout` | duration | 30s | 1 s...1 h, in which an export's reader takes 64 KiB |
/// | `slow.exportTimeout` | duration | 10m | 1 s...24 h, of a whole export |
struct GatewayPools: Sendable {
    /// For what is answered at once.
    var connections = 8
    /// For what may take long.
    var slowConnections = 6
    /// The longest statement of that.
    var statementTimeout = Duration.seconds(60)
    /// How long an export waits for its reader.
    var readerTimeout = Duration.seconds(30)
    /// How long an export may take in all.
    var exportTimeout = Duration.seconds(600)

    /// Exports of everything and imports at once, each of which has a connection while it lasts: one is left
    /// for reports.
    var longWork: Int { max(slowConnections - 1, 1) }

    /// Of these one user's: two, and never all of them.
    var longWorkPerUser: Int { max(min(2, longWork - 1), 1) }

    init() {}

    /// Reads what was configured.
    init(settings: Settings) {
        connections = settings[Self.size]
        slowConnections = settings[Self.slow]
        statementTimeout = settings[Self.statement]
        readerTimeout = settings[Self.reader]
        exportTimeout = settings[Self.export]
    }

    /// Every key that is read here.
    static let keys: [ConfigurationKey] = [size.key, slow.key, statement.key, reader.key, export.key]

    private static let size = Setting.integer(
        "database.connections", default: 8, in: 1...64,
        "Connections to PostgreSQL for what is answered at once.")
    private static let slow = Setting.integer(
        "slow.connections", default: 6, in: 3...64,
        "Connections to PostgreSQL of exports, imports and reports.")
    private static let statement = Setting.duration(
        "slow.statementTimeout", default: .seconds(60), in: .seconds(1) ... .seconds(3_600),
        "The longest statement of exports, imports and reports.")
    private static let reader = Setting.duration(
        "slow.readerTimeout", default: .seconds(30), in: .seconds(1) ... .seconds(3_600),
        "How long an export waits until its reader has taken 64 KiB; then it ends.")
    private static let export = Setting.duration(
        "slow.exportTimeout", default: .seconds(600), in: .seconds(1) ... .seconds(86_400),
        "How long a whole export may take; then it ends.")
}
