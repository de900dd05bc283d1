import AccountStore
import AlertStore
import Alerting
import Bus
import BusBroker
import Hosting
import Instruments
import MarketStore
import Operations
import ServiceLifecycle
import Store
import Support
import Wire

@testable import AlertEvaluation

/// A broker on free ports of loopback, a database, a feed that the test speaks for, and evaluators.
struct EvaluatorFixture: Sendable {
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    static let user = UserID.localOperator

    let context: BusContext
    let addresses: BusAddresses
    let database: Database
    let tape: TestTape
    /// Says what the tape says, and anything else.
    let publisher: Publisher

    /// Runs a broker and a feed while `body` runs.
    static func run(on id: InstrumentID = bitcoin, _ body: (EvaluatorFixture) async throws -> Void)
        async throws
    {
        let configuration = try await TestDatabase.migrated("alerts", by: AlertSchema.migrate)
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        try await TestTape.prepare(id, in: database)
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: .anyLoopbackPort),
            instance: "test", logger: TestDatabase.logger)
        try await running([broker]) {
            let addresses = try await broker.bound()
            let publisher = try Publisher(
                context: context,
                configuration: PublisherConfiguration(producer: "feed", addresses: addresses),
                logger: TestDatabase.logger)
            try await running([publisher]) {
                for await event in publisher.events where event == .brokerAppeared { break }
                try await body(
                    EvaluatorFixture(
                        context: context, addresses: addresses, database: database,
                        tape: try TestTape(id, publisher), publisher: publisher))
            }
        }
        await database.close()
    }

    /// Runs an evaluator while `body` runs, then stops it gracefully.
    ///
    /// Rules fire as often as they say unless so many times an hour are given.
    func evaluating(
        blindAfter: Duration = .seconds(30), firingsPerHour: Int = 0, _ body: () async throws -> Void
    ) async throws {
        var configuration = AlertEvaluationConfiguration()
        (configuration.firingsPerHour, configuration.leastCooldown) = (firingsPerHour, .zero)
        // Longer than a busy machine lets a round of tending wait: nobody here is killed.
        configuration.leaseDuration = .seconds(4)
        configuration.checkpointInterval = .milliseconds(200)
        configuration.blindAfter = blindAfter
        let frame = ServiceFrame(instance: "test", logger: TestDatabase.logger)
        let services = try AlertEvaluator.services(
            configuration, in: frame.on(context, at: addresses).with(database))
        let group = ServiceGroup(services: services, logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do {
                try await body()
            } catch {
                tasks.cancelAll()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Says anything on a topic.
    func say(_ event: WireEvent, on topic: String) throws {
        var batch = OutboundBatch()
        batch.append(event, to: try publisher.topic(topic))
        publisher.offer(&batch)
    }

    /// Makes a rule of the condition's JSON with more fields, of the bench's instrument or another or none.
    @discardableResult
    func add(
        _ condition: String, _ more: String = "", of instrument: String? = "\(bitcoin)",
        by user: UserID = user
    ) async throws -> StoredRule {
        var random = SystemRandomNumberGenerator()
        let now = BusClock.wall()
        let key = UniqueID(version7At: now.nanoseconds, using: &random)
        let subject = instrument.map { #","instrument":"\#($0)""# } ?? ""
        let rule = try AlertRule(
            json: #"{"id":"\#(key)"\#(subject),"condition":\#(condition)\#(more)}"#)
        let rules = try await database.transaction { session in
            try session.addRules([rule], of: user, limits: RuleLimits(), at: now)
        }
        guard let added = rules.first else { throw PropertyFailure("no rule was made") }
        return added
    }

    /// A rule of the last price that fires again and again.
    func above(_ level: Int64, of user: UserID = user) async throws -> StoredRule {
        try await add(
            #"{"price":"last","crosses":"above","level":"\#(level)"}"#, #","repeat":{"cooldown":"0s"}"#,
            by: user)
    }

    /// Another user than the one of all other rules.
    func stranger() async throws -> UserID {
        let user = UserID(rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001))
        try await database.execute(AddUser(user: user))
        return user
    }

    /// The firings of a rule, earliest first.
    func firings(_ rule: StoredRule) async throws -> [FiringLine] {
        try await database.rows(FiringLines(rule: rule.id))
    }

    /// Whether all of some rules have fired.
    func haveFired(_ rules: [StoredRule]) async throws -> Bool {
        for rule in rules where try await !firings(rule).contains(where: { $0.kind == "fired" }) {
            return false
        }
        return true
    }

    /// Waits until a rule fired so often, while the feed goes on saying how it is.
    func wait(for count: Int, of rule: StoredRule) async throws {
        try await eventually {
            tape.beat()
            return try await firings(rule).count >= count
        }
    }

    /// Waits until live trades are evaluated: a rule of its own fires on the last of some.
    func waitUntilLive() async throws {
        // Below the levels of every test, so that nothing else fires.
        let probe = try await above(2)
        try await eventually {
            tape.beat()
            tape.say([1, 3, 1])
            try await tape.store(in: database)
            return try await firings(probe).contains { $0.lateBy == 0 }
        }
        _ = try await database.transaction { session in
            try session.deleteRules([probe.id], of: Self.user, at: BusClock.wall())
        }
    }
}

/// What is stored of a firing.
struct FiringLine: Hashable, Sendable {
    var kind: String
    var price: String?
    var tradeID: String?
    var lateBy: Int64
    var reason: String
}

struct FiringLines: Statement {
    static let sql = """
        SELECT kind, trim_scale(price), trade_id, late_by, reason FROM alerts.firing
        WHERE rule_id = $1 ORDER BY epoch
        """
    let rule: UniqueID
    func bind(_ parameters: inout Parameters) { parameters.append(rule) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> FiringLine {
        FiringLine(
            kind: try row.text(), price: try row.numericOrNil()?.description, tradeID: try row.textOrNil(),
            lateBy: try row.int64(), reason: try row.text())
    }
}

/// Lets a user who is there sign in.
struct OpenAccount: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.account (user_id, email, email_folded, role, created_at)
        VALUES ($1, 'a@example.org', 'a@example.org', 'user', clock_timestamp())
        """
    let user: UserID
    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }
}

/// Adds a user.
struct AddUser: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO accounts.app_user (user_id, name) VALUES ($1, 'ben')"
    let user: UserID
    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }
}
