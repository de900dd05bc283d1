import AccountStore
import AlertStore
import Alerting
import Channels
import Foundation
import Instruments
import MarketStore
import Store
import Support
import Testing

/// A database with a rule, and firings of it that are to be told.
struct Outbox {
    static let user = UserID.localOperator
    /// 32 bytes, as Standard Webhooks writes them.
    static let key = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    static let instrument = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    let database: Database
    let configuration: StoreConfiguration
    let rule: StoredRule

    /// A new database.
    ///
    /// One of the run's own server unless another is given; the rule fires as often as `repetition` says in
    /// the form of rules.
    static func make(
        in given: StoreConfiguration? = nil, repetition: String = #"{"cooldown":"0s"}"#
    ) async throws -> Outbox {
        let configuration: StoreConfiguration
        if let given {
            try await AlertSchema.migrate(given, logger: TestDatabase.logger)
            configuration = given
        } else {
            configuration = try await TestDatabase.migrated("alerts", by: AlertSchema.migrate)
        }
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        let coin = Instrument(
            id: instrument, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
            priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
        try await database.store([coin], at: .zero)
        let rule = try AlertRule(
            json: """
                {"id":"\(id(1))","instrument":"\(instrument)",\
                "condition":{"price":"last","crosses":"above","level":"61000.5"},"note":"Sell half",\
                "repeat":\(repetition)}
                """)
        let stored = try await database.transaction { session in
            try session.addRules(
                [rule], of: user, limits: RuleLimits(), at: Timestamp(nanoseconds: 1_767_225_600_000_000_000))
        }
        return Outbox(database: database, configuration: configuration, rule: stored[0])
    }

    static func id(_ number: UInt64) -> UniqueID {
        UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number)
    }

    /// Adds a webhook that is told as often as there is something.
    @discardableResult
    func webhook(_ number: UInt64, _ url: String, _ edit: (inout Channel) -> Void = { _ in }) async throws
        -> Channel
    {
        var channel = Channel(
            id: Outbox.id(100 + number), user: Outbox.user, name: "hook \(number)", kind: .webhook,
            settings: #"{"url":"\#(url)"}"#,
            secrets: ChannelSecrets(json: #"{"keys":["\#(Outbox.key)"]}"#), created: .zero, verified: .zero)
        channel.preferences.perMinute = 1_000_000
        channel.preferences.perHour = 1_000_000
        edit(&channel)
        try await put(channel)
        return channel
    }

    func put(_ channel: Channel) async throws {
        try await database.withSession { try $0.put(channel) }
    }

    func channels() async throws -> [Channel] {
        try await database.withSession { try $0.channels(of: Outbox.user) }
    }

    /// Stores firings with what is to be told of them, as the evaluator's transaction does.
    func fire(_ epochs: ClosedRange<Int>) async throws {
        let (id, user) = (rule.id.description, Outbox.user.description)
        try await database.transaction { session in
            try session.script(
                """
                INSERT INTO alerts.firing (rule_id, epoch, user_id, rule_version, venue, symbol, reason,
                    price, previous, level, venue_time, received_time, sequence, late_by)
                SELECT '\(id)', epoch, '\(user)', 1, 'kraken', 'BTC/USD',
                    'last price rose to 61000.5 from 60999.9, reaching 61000.5', 61000.5, 60999.9, 61000.5,
                    1767225600000000000 + epoch, 0, 0, 0
                FROM generate_series(\(epochs.lowerBound), \(epochs.upperBound)) AS epoch;
                INSERT INTO alerts.outbox (rule_id, epoch, channel_id)
                SELECT '\(id)', epoch, channel_id
                FROM generate_series(\(epochs.lowerBound), \(epochs.upperBound)) AS epoch, alerts.channel
                WHERE disabled_at IS NULL
                """)
        }
    }

    /// Starts a notifier of the build that the tests belong to; loopback is allowed to it.
    ///
    /// One that `diesAtWork`, or whose database does, claims for two seconds only; of others no attempt is
    /// given up and repeated because a machine is slow. One may see a file `mounted` alone.
    func notifier(
        _ more: [String: String] = [:], diesAtWork: Bool = false, mounted: MountedFile? = nil
    ) throws -> ChildProcess {
        let port = try FreePorts.run(of: 1)
        var environment = [
            "BITPAL_DATABASE_URL": configuration.description,
            "BITPAL_NOTIFIER_OPERATIONS_ADDRESS": "127.0.0.1:\(port)",
        ]
        environment.merge(Self.pace(diesAtWork: diesAtWork)) { $1 }
        environment.merge(more) { $1 }
        let folder = try TestDatabase.temporaryDirectory()
        if let mounted { return try mounted.start("notifier", environment: environment, folder: folder) }
        return try ChildProcess("notifier", environment: environment, folder: folder)
    }

    /// What lets a notifier tell a test's own receiver as fast as there is something.
    static func pace(diesAtWork: Bool) -> [String: String] {
        [
            "BITPAL_NOTIFIER_ADDRESSES_ALLOW_PRIVATE": "true",
            "BITPAL_NOTIFIER_CLAIM_LEASE": diesAtWork ? "2s" : "120s",
            "BITPAL_NOTIFIER_ATTEMPTS_TIMEOUT": diesAtWork ? "1s" : "60s",
            "BITPAL_NOTIFIER_ATTEMPTS_PER_SECOND": "100000",
            "BITPAL_NOTIFIER_USERS_PER_HOUR": "1000000",
        ]
    }

    /// Waits until a notifier has made the outbox look as wanted.
    func wait(for notifier: ChildProcess, until isAsWanted: ([OutboxRow]) -> Bool) async throws {
        while true {
            let rows = try await database.rows(OutboxRows())
            if isAsWanted(rows) { return }
            try #require(notifier.isRunning, "\(notifier.errors)")
            try ChildProcess.turn()
        }
    }

    func rows() async throws -> [OutboxRow] { try await database.rows(OutboxRows()) }
}

/// A row of the outbox as tests look at it.
struct OutboxRow: Hashable, Sendable {
    var id: String
    var channel: UniqueID
    var state: String
    var failures: Int32
    var error: String
    var isNotice: Bool
    var isHeld: Bool
    var digest: String
}

/// The whole outbox.
struct OutboxRows: Statement {
    static let sql = """
        SELECT delivery_id, channel_id, state, failures, COALESCE(last_error, ''), notice IS NOT NULL, held,
            COALESCE(digest_id::text, '')
        FROM alerts.outbox ORDER BY created_at, delivery_id
        """

    static func decode(_ row: inout RowReader) throws(StoreError) -> OutboxRow {
        OutboxRow(
            id: try row.uniqueID().description, channel: try row.uniqueID(), state: try row.text(),
            failures: try row.int32(), error: try row.text(), isNotice: try row.bool(),
            isHeld: try row.bool(), digest: try row.text())
    }
}
