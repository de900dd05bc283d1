import AccountStore
import AlertStore
import Alerting
import Bus
import Channels
import Foundation
import Instruments
import MarketStore
import Store
import Support

/// A broker and up to three evaluators as processes, with a rule on each of some instruments and a channel
/// that is told.
final class AlertFleet {
    static let service = "alert-evaluator"
    static let places = 3
    /// Each of a venue of its own: what a feed says of itself is about all of its venue.
    ///
    /// So many that some move whenever an evaluator comes or goes.
    static let instruments = (0..<24).map { number in
        InstrumentID(venue: Venue(rawValue: "venue\(number)"), symbol: "BTC/USD")
    }
    static let level: Int64 = 100

    let store: StoreConfiguration
    let database: Database
    let addresses: BusAddresses
    private let base: UInt16
    private let folder: String
    private let broker: ChildProcess
    private var evaluators: [Int: ChildProcess] = [:]

    /// Starts the broker, and no evaluator.
    init() async throws {
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 4 + Self.places)
        addresses = try BusAddresses(base: "tcp://127.0.0.1:\(base)")
        store = try await TestDatabase.migrated("alerts", by: AlertSchema.migrate)
        database = Database(configuration: store, logger: TestDatabase.logger)
        broker = try ChildProcess(
            "bus-broker",
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 3)",
            ], folder: folder)
        for id in Self.instruments { try await TestTape.prepare(id, in: database) }
    }

    // MARK: - Evaluators

    /// Starts the evaluator of a place, of which the first is 0.
    func start(_ place: Int) throws {
        let prefix = "BITPAL_ALERT_EVALUATOR_"
        evaluators[place] = try ChildProcess(
            Self.service,
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                prefix + "OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4 + UInt16(place))",
                // A slow machine is no outage: who starts waits until the server answers.
                "BITPAL_DATABASE_URL": store.description + " connect_timeout=60",
                // Each crossing counts here.
                "BITPAL_ALERTS_LEAST_COOLDOWN": "0s", prefix + "FIRINGS_PER_HOUR": "0",
                prefix + "LEASES_DURATION": "2s", prefix + "CHECKPOINT_INTERVAL": "200ms",
            ], folder: folder)
    }

    /// Asks one to stop, which ``stopped(_:)`` waits for.
    func ask(_ place: Int) { evaluators[place]?.signal(SIGTERM) }

    /// The exit status of one that was asked to stop.
    func stopped(_ place: Int) async -> Int32? {
        await evaluators.removeValue(forKey: place)?.exitStatus()
    }

    /// Ends one as a crash does.
    func crash(_ place: Int) async { await evaluators.removeValue(forKey: place)?.crash() }

    /// Asks all to stop; their exit statuses, the broker's last.
    func stop() async -> [Int32?] {
        var statuses: [Int32?] = []
        for place in evaluators.keys.sorted() { ask(place) }
        for place in evaluators.keys.sorted() { statuses.append(await stopped(place)) }
        broker.signal(SIGTERM)
        statuses.append(await broker.exitStatus())
        return statuses
    }

    /// A process that ended by itself is what nothing comes of.
    func checkProcesses() throws {
        for process in Array(evaluators.values) + [broker] where !process.isRunning {
            throw PropertyFailure("one has ended by itself: \(process.errors.suffix(3_000))")
        }
    }

    var logs: String {
        evaluators.sorted { $0.key < $1.key }.map { "\($0.key): …\($0.value.errors.suffix(1_500))" }
            .joined(separator: "\n")
    }

    // MARK: - Leases

    /// The place of who holds each shard; `nil` while any is held by nobody, or by one that is gone.
    func owners() async throws -> [Shard: Int]? {
        let names = evaluators.mapValues { process -> String? in
            let words = process.errors.split(whereSeparator: { " \n".contains($0) })
            return words.first { $0.hasPrefix("instance=") }.map { String($0.dropFirst("instance=".count)) }
        }
        var owners: [Shard: Int] = [:]
        for lease in try await database.withSession({ try $0.leases(of: Self.service) }) {
            let place = names.first { _, name in
                name.map { lease.owner?.hasPrefix($0) == true } ?? false
            }
            guard let place else { return nil }
            owners[lease.shard] = place.key
        }
        return owners.count == Shard.all.count ? owners : nil
    }

    // MARK: - Rules

    /// Makes a rule of the last price of each instrument that fires at every crossing, and a channel that is
    /// told of all; nobody sends anything.
    func makeRules() async throws -> [StoredRule] {
        let channel = Channel(
            id: Outbox.id(1), user: .localOperator, name: "hook", kind: .webhook,
            settings: #"{"url":"https://a.example"}"#,
            secrets: ChannelSecrets(json: #"{"keys":["\#(Outbox.key)"]}"#), created: .zero, verified: .zero)
        let now = BusClock.wall()
        var random = SystemRandomNumberGenerator()
        let rules = try Self.instruments.map { id in
            try AlertRule(
                json: """
                    {"id":"\(UniqueID(version7At: now.nanoseconds, using: &random))","instrument":"\(id)",\
                    "condition":{"price":"last","crosses":"above","level":"\(Self.level)"},\
                    "repeat":{"cooldown":"0s"}}
                    """)
        }
        return try await database.transaction { session in
            try session.put(channel)
            return try session.addRules(rules, of: .localOperator, limits: RuleLimits(), at: now)
        }
    }

    /// How often any rule fired.
    func firingCount() async throws -> Int64 {
        try await database.first("SELECT count(*) FROM alerts.firing WHERE kind = 'fired'") {
            try $0.int64()
        } ?? 0
    }

    /// Ids of the trades that each rule fired on, in the order of its firings.
    func firings() async throws -> [UniqueID: [String]] {
        let rows = try await database.rows(
            "SELECT rule_id, trade_id FROM alerts.firing WHERE kind = 'fired' ORDER BY rule_id, epoch"
        ) { (rule: try $0.uniqueID(), trade: try $0.textOrNil() ?? "") }
        return Dictionary(grouping: rows, by: \.rule).mapValues { $0.map(\.trade) }
    }

    /// Deliveries of firings, and firings of which there are any.
    func deliveries() async throws -> [Int64] {
        try await database.first(
            """
            SELECT count(*), count(DISTINCT (rule_id, epoch))
            FROM alerts.outbox JOIN alerts.firing USING (rule_id, epoch) WHERE firing.kind = 'fired'
            """
        ) { [try $0.int64(), try $0.int64()] } ?? []
    }
}
