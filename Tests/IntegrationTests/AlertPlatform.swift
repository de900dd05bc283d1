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
final class AlertPlatform {
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    let cluster: PrivateCluster
    let store: StoreConfiguration
    let database: Database
    let base: UInt16
    private let folder: String
    private var processes: [String: ChildProcess] = [:]
    /// Whether who ended by itself is started again, as a restart policy does: a notifier that begins ends
    /// when PostgreSQL dies meanwhile.
    var isSupervised = false
    /// How each of them is started.
    private var starts: [String: () throws -> ChildProcess] = [:]

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

    /// Starts a process, which reaches bus and PostgreSQL by a link, or directly; `more` is told it besides.
    func start(
        _ service: String, as name: String? = nil, port: UInt16, by link: PlatformLink? = nil,
        _ more: [String: String] = [:]
    ) throws {
        let prefix = "BITPAL_" + service.uppercased().replacingOccurrences(of: "-", with: "_") + "_"
        var environment = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(link?.base ?? base)",
            prefix + "OPERATIONS_ADDRESS": "127.0.0.1:\(base + port)",
        ]
        // A slow machine is no outage: who starts waits until the server answers.
        let database = link?.url ?? store.description + " connect_timeout=60"
        if service != "bus-broker" { environment["BITPAL_DATABASE_URL"] = database }
        if service == "alert-evaluator" {
            // Each crossing counts here.
            environment["BITPAL_ALERTS_LEAST_COOLDOWN"] = "0s"
            environment[prefix + "FIRINGS_PER_HOUR"] = "0"
            environment[prefix + "LEASES_DURATION"] = "1s"
            environment[prefix + "CHECKPOINT_INTERVAL"] = "200ms"
        }
        environment.merge(more) { $1 }
        environment.merge(ChildProcess.withoutBacktrace) { $1 }
        let (all, folder) = (environment, folder)
        let begin = { try ChildProcess(service, environment: all, folder: folder) }
        starts[name ?? service] = begin
        processes[name ?? service] = try begin()
    }

    /// A link to bus and PostgreSQL of its own.
    func link() throws -> PlatformLink {
        try PlatformLink(toBus: base, toServerIn: try #require(cluster.location).socketDirectory)
    }

    func signal(_ number: Int32, _ name: String) { processes[name]?.signal(number) }

    /// Ends a process as a crash does, and starts it again; PostgreSQL has no other way than SIGKILL.
    func crash(_ name: String, by signal: Int32 = SIGKILL) async throws {
        if name == "postgres" { return try await cluster.crash() }
        await processes[name]?.crash(by: signal)
        processes[name] = try starts[name]?()
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

    /// A process that ended by itself is what nothing comes of, unless somebody starts it again.
    func checkProcesses() throws {
        for (name, process) in processes where !process.isRunning {
            if isSupervised {
                processes[name] = try starts[name]?()
                continue
            }
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

extension AlertPlatform {
    /// Says trades in which every second one rises over the level, some of them stored at a time.
    ///
    /// - Returns: The ids of those that do.
    func round(
        _ tape: TestTape, _ generator: inout SeededGenerator, _ trades: Int, at moment: Int = -1,
        _ accident: () async throws -> Void = {}
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
                try await insist(while: { $0 is StoreError }) { try await tape.store(in: database) }
            }
        }
        try await insist(while: { $0 is StoreError }) { try await tape.store(in: database) }
        return crossings
    }

    /// Waits until as many have fired as there are crossings.
    func wait(_ tape: TestTape, _ rule: StoredRule, for crossings: [String]) async throws {
        try await eventually {
            try checkProcesses()
            tape.beat()
            return try await fired(rule).count >= crossings.count
        }
    }

    /// Runs a closure with a feed on the bus.
    func running(_ body: (TestTape) async throws -> Void) async throws {
        let context = try BusContext()
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(producer: "feed", addresses: try addresses),
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

    /// What is wrong with what a rule fired; empty where each crossing has its one firing, in order.
    static func faults(_ fired: [String], _ crossings: [String]) -> [String] {
        let counts = Dictionary(fired.map { ($0, 1) }, uniquingKeysWith: +)
        let expected = Set(crossings)
        var faults = crossings.filter { counts[$0] == nil }.map { "\($0) has no firing" }
        faults += counts.filter { $0.value > 1 }.keys.sorted().map { "\($0) has \(counts[$0] ?? 0) firings" }
        faults += fired.filter { !expected.contains($0) }.map { "\($0) fired without a crossing" }
        if faults.isEmpty, fired != crossings { faults = ["they fired in another order"] }
        return faults
    }
}
