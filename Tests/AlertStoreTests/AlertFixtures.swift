import AccountStore
import AlertStore
import Channels
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import Alerting

/// A database with the schemas, one instrument and what tests need of it.
enum AlertFixture {
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    static let service = "alert-evaluator"
    static let user = UserID.localOperator
    /// 2026-01-01T00:00:00.000001Z, and some that no `timestamptz` keeps.
    static let now = Timestamp(nanoseconds: 1_767_225_600_000_001_234)

    static func database(connections: Int = 6) async throws -> Database {
        try await databaseWithConfiguration(connections: connections).0
    }

    static func databaseWithConfiguration(
        connections: Int = 6
    ) async throws -> (Database, StoreConfiguration) {
        var configuration = try await TestDatabase.migrated("alerts", by: AlertSchema.migrate)
        configuration.maximumConnections = connections
        let database = Database(
            configuration: configuration, logger: TestDatabase.logger, jitter: { 0 })
        let coin = Instrument(
            id: bitcoin, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
            priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
        try await database.store([coin], at: .zero)
        return (database, configuration)
    }

    static func id(_ number: UInt64) -> UniqueID {
        UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number)
    }

    /// A rule of the last price, with more fields if any are given.
    static func rule(_ number: UInt64, level: String = "61000.5", _ more: String = "") throws -> AlertRule {
        try AlertRule(
            json: """
                {"id":"\(id(number))","instrument":"\(bitcoin)",\
                "condition":{"price":"last","crosses":"above","level":"\(level)"}\(more)}
                """)
    }

    static func channel(_ number: UInt64, _ name: String, isVerified: Bool = true) -> Channel {
        Channel(
            id: id(number), user: user, name: name, kind: .webhook, settings: #"{"url":"https://a.b"}"#,
            secrets: ChannelSecrets(json: #"{"key":"whsec_hidden"}"#), created: now,
            verified: isVerified ? now : nil)
    }

    /// Holds every shard.
    static func claims(_ instance: String, _ database: Database) async throws -> LeaseClaims {
        try await database.tendLeases(LeaseTerm(service: service, instance: instance)).claims
    }

    static func firing(of rule: StoredRule, epoch: Int64, state: [UInt8] = [1]) -> FiringRow {
        let firing = Firing(
            rule: rule.rule.id, epoch: UInt32(epoch), series: .price(bitcoin, .last), cause: .rose,
            price: DecimalNumber(units: 610_005, scale: Scale(1) ?? .zero), previous: nil, level: nil,
            tradeID: "t\(epoch)", venueTime: now, receivedTime: now, sequence: 7, lateBy: 0, heldSince: nil)
        return FiringRow(firing, of: rule, state: state, isDone: false)
    }
}

extension Database {
    func add(
        _ rules: [AlertRule], isEnabled: Bool = true, limit: Int = 50, at now: Timestamp = AlertFixture.now
    ) async throws(StoreError) -> [StoredRule] {
        try await transaction { session in
            try session.addRules(
                rules, of: AlertFixture.user, isEnabled: isEnabled, limits: RuleLimits(enabled: limit),
                at: now)
        }
    }

    func rule(_ id: UniqueID) async throws -> StoredRule {
        try #require(try await withSession { try $0.rule(id, of: AlertFixture.user) })
    }

    func rules() async throws(StoreError) -> [StoredRule] {
        try await withSession { try $0.rules(of: AlertFixture.user) }
    }

    func activeRules(of shards: [Shard] = Shard.all) async throws(StoreError) -> [StoredRule] {
        try await withSession { session in
            var rules: [StoredRule] = []
            try session.forEachActiveRule(of: shards) { rules.append($0) }
            return rules
        }
    }

    func history(of rule: UniqueID) async throws(StoreError) -> [RuleEvent] {
        try await withSession { try $0.history(of: rule, by: AlertFixture.user) }
    }

    func put(_ channel: Channel) async throws(StoreError) {
        try await withSession { try $0.put(channel) }
    }

    /// How many deliveries are in each state.
    func outboxCounts() async throws(StoreError) -> [String: Int64] {
        let rows = try await rows("SELECT state, count(*) FROM alerts.outbox GROUP BY state") { row in
            (try row.text(), try row.int64())
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}

/// Why rules were refused; an issue when they were not, or for another reason.
func refusal<Value>(
    at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> RuleRefused? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: location)
    } catch let error as StoreError {
        if let refused = error.bodyError as? RuleRefused { return refused }
        Issue.record(error, sourceLocation: location)
    } catch {
        Issue.record(error, sourceLocation: location)
    }
    return nil
}

/// Any statement with one `bigint`.
struct FiringCount: Statement {
    static let sql = "SELECT count(*) FROM alerts.firing"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
