import AccountStore
import AlertStore
import Alerting
import Bus
import Foundation
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Testing

/// An evaluator, a bus-broker and a PostgreSQL of their own processes, and a feed that the test speaks for.
private final class AlertPlatform {
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    let cluster: PrivateCluster
    let store: StoreConfiguration
    let database: Database
    let base: UInt16
    private let folder: String
    private var processes: [String: ChildProcess] = [:]

    init() async throws {
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 8)
        // One that keeps what it confirmed, also when it is killed.
        cluster = PrivateCluster(directory: folder)
        store = try await cluster.start()
        try await AlertSchema.migrate(store, logger: TestDatabase.logger)
        database = Database(configuration: store, logger: TestDatabase.logger)
        try await TestTape.prepare(Self.bitcoin, in: database)
    }

    var addresses: BusAddresses { get throws { try BusAddresses(base: "tcp://127.0.0.1:\(base)") } }

    func start(_ service: String, as name: String? = nil, port: UInt16) throws {
        let prefix = "BITPAL_" + service.uppercased().replacingOccurrences(of: "-", with: "_") + "_"
        var environment = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
            prefix + "OPERATIONS_ADDRESS": "127.0.0.1:\(base + port)",
        ]
        if service == "alert-evaluator" {
            // A slow machine is no outage: who starts waits until the server answers.
            environment["BITPAL_DATABASE_URL"] = store.description + " connect_timeout=60"
            // Each crossing counts here.
            environment["BITPAL_ALERTS_LEAST_COOLDOWN"] = "0s"
            environment[prefix + "FIRINGS_PER_HOUR"] = "0"
            environment[prefix + "LEASES_DURATION"] = "1s"
            environment[prefix + "CHECKPOINT_INTERVAL"] = "200ms"
        }
        processes[name ?? service] = try ChildProcess(service, environment: environment, folder: folder)
    }

    func signal(_ number: Int32, _ name: String) { processes[name]?.signal(number) }

    /// Ends a process as a crash does, and starts it again.
    func crash(_ service: String) async throws {
        if service == "postgres" { return try await cluster.crash() }
        await processes[service]?.crash()
        try start(service, port: service == "bus-broker" ? 4 : 5)
    }

    /// Asks all of them to stop; their exit statuses by name.
    func stop() async throws -> [String: Int32] {
        var statuses: [String: Int32] = [:]
        for name in processes.keys.sorted() {
            processes[name]?.signal(SIGTERM)
            statuses[name] = await processes[name]?.exitStatus()
        }
        await database.close()
        try await cluster.stop()
        return statuses
    }

    var logs: String {
        processes.map { "\($0.key): …\($0.value.errors.suffix(3_000))" }.joined(separator: "\n")
    }

    /// A process that ended by itself is what nothing comes of.
    func checkProcesses() throws {
        for (name, process) in processes where !process.isRunning {
            throw PropertyFailure("\(name) has ended by itself: \(process.errors.suffix(3_000))")
        }
    }

    /// A rule of the last price that fires at every crossing.
    func above(_ level: Int64) async throws -> StoredRule {
        var random = SystemRandomNumberGenerator()
        let now = Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
        let key = UniqueID(version7At: now.nanoseconds, using: &random)
        let rule = try AlertRule(
            json: """
                {"id":"\(key)","instrument":"\(Self.bitcoin)","condition":{"price":"last","crosses":"above",\
                "level":"\(level)"},"repeat":{"cooldown":"0s"}}
                """)
        let rules = try await database.transaction { session in
            try session.addRules([rule], of: .localOperator, limits: RuleLimits(), at: now)
        }
        return try #require(rules.first)
    }

    /// Ids of the trades that a rule fired on, earliest first.
    func fired(_ rule: StoredRule) async throws -> [String] {
        try await insist(while: { $0 is StoreError }) { try await database.rows(FiredTrades(rule: rule.id)) }
    }
}

private struct FiredTrades: Statement {
    static let sql = """
        SELECT trade_id FROM alerts.firing WHERE rule_id = $1 AND kind = 'fired' ORDER BY epoch
        """
    let rule: UniqueID
    func bind(_ parameters: inout Parameters) { parameters.append(rule) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.textOrNil() ?? "" }
}

/// Minutes; at full size it takes hours.
private let patience = ProcessInfo.processInfo.environment["SOAK"] == nil ? 30 : 600

@Suite("Alerts through crashes", .serialized, .timeLimit(.minutes(patience)))
struct AlertCrashTests {
    private static let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil
    /// `SEED=n` repeats or goes on from another.
    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? .random(in: 1...1_000_000)
    }

    /// Says trades in which every second one rises over the level, some of them stored at a time.
    ///
    /// - Returns: The ids of those that do.
    private static func round(
        _ platform: AlertPlatform, _ tape: TestTape, _ generator: inout SeededGenerator, _ trades: Int,
        at moment: Int, _ accident: () async throws -> Void
    ) async throws -> [String] {
        var crossings: [String] = []
        for number in 0..<trades {
            if number == moment { try await accident() }
            let rises = number % 2 == 1
            let trade = tape.trade(Int64(rises ? generator.int(100...120) : generator.int(80...99)))
            if rises { crossings.append(trade.id) }
            tape.say(trade)
            tape.beat()
            if generator.chance(20) {
                try await insist(while: { $0 is StoreError }) { try await tape.store(in: platform.database) }
            }
        }
        try await insist(while: { $0 is StoreError }) { try await tape.store(in: platform.database) }
        return crossings
    }

    private static func wait(
        _ platform: AlertPlatform, _ tape: TestTape, _ rule: StoredRule, for crossings: [String]
    ) async throws {
        try await eventually {
            try platform.checkProcesses()
            tape.beat()
            return try await platform.fired(rule).count >= crossings.count
        }
    }

    private static func running(
        _ platform: AlertPlatform, _ body: (TestTape) async throws -> Void
    ) async throws {
        let context = try BusContext()
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(producer: "feed", addresses: try platform.addresses),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            do {
                try await body(try TestTape(AlertPlatform.bitcoin, publisher))
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }

    @Test("every crossing has exactly one firing, whoever is killed at whichever moment")
    func killed() async throws {
        let platform = try await AlertPlatform()
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", port: 5)
        let rule = try await platform.above(100)
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        try await Self.running(platform) { tape in
            var crossings = try await Self.round(platform, tape, &generator, 10, at: -1) {}
            try await Self.wait(platform, tape, rule, for: crossings)
            for point in 1...(Self.isSoak ? 1_000 : 20) {
                let victim = generator.pick(["alert-evaluator", "bus-broker", "postgres"])
                crossings += try await Self.round(platform, tape, &generator, 40, at: generator.int(0...39)) {
                    try await platform.crash(victim)
                }
                try await Self.wait(platform, tape, rule, for: crossings)
                let fired = try await platform.fired(rule)
                try #require(
                    fired == crossings,
                    """
                    seed \(seed), point \(point), after \(victim):
                    \(fired.suffix(50)), not \(crossings.suffix(50))
                    \(platform.logs)
                    """)
            }
        }
        print("evaluator, broker, PostgreSQL: killed \(Self.isSoak ? 1_000 : 20) times from seed \(seed)")
        let statuses = try await platform.stop()
        #expect(statuses["alert-evaluator"] == 0)
    }

    @Test("every crossing has exactly one firing, with two evaluators that are stopped and go on")
    func splitBrain() async throws {
        let platform = try await AlertPlatform()
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", as: "one", port: 5)
        try platform.start("alert-evaluator", as: "two", port: 6)
        let rule = try await platform.above(100)
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        try await Self.running(platform) { tape in
            var crossings = try await Self.round(platform, tape, &generator, 10, at: -1) {}
            try await Self.wait(platform, tape, rule, for: crossings)
            for number in 0..<(Self.isSoak ? 200 : 6) {
                let name = number % 2 == 0 ? "one" : "two"
                crossings += try await Self.round(platform, tape, &generator, 40, at: generator.int(0...39)) {
                    platform.signal(SIGSTOP, name)
                }
                // The other one takes over, if it was not its own already.
                try await Self.wait(platform, tape, rule, for: crossings)
                crossings += try await Self.round(platform, tape, &generator, 40, at: generator.int(0...39)) {
                    platform.signal(SIGCONT, name)
                }
                try await Self.wait(platform, tape, rule, for: crossings)
                let fired = try await platform.fired(rule)
                try #require(
                    fired == crossings,
                    "seed \(seed): \(fired.suffix(90)), not \(crossings.suffix(90))\n\(platform.logs)")
            }
        }
        let statuses = try await platform.stop()
        #expect(statuses["one"] == 0 && statuses["two"] == 0)
    }

    @Test("refuses wrong configuration with status 78")
    func configuration() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let without = try ChildProcess("alert-evaluator", folder: folder)
        #expect(await without.exitStatus() == 78)
        #expect(without.errors.contains("BITPAL_DATABASE_URL"))
        let wrong = try ChildProcess(
            "alert-evaluator", environment: ["BITPAL_ALERT_EVALUATOR_LEASES_DURATION": "soon"], folder: folder
        )
        #expect(await wrong.exitStatus() == 78)
    }
}
