import AccountStore
import AlertEvaluation
import AlertStore
import Alerting
import Bus
import BusBroker
import Channels
import Foundation
import Hosting
import Instruments
import Logging
import MarketData
import MarketStore
import Notifying
import Operations
import ServiceLifecycle
import Store
import Support
import Wire

/// From a tick to a stored firing to a webhook: broker, evaluator and notifier in this process, PostgreSQL
/// beside it with every commit on the disk.
enum EvaluatorBench {
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
    private static let instrument = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    private static let armed = 1_000
    private static let duration = 20
    /// Each millisecond; one in twenty of these milliseconds has a crossing.
    private static let ticksAtOnce = 20

    static func run() async throws -> [Measurement] {
        try await DurableStore.use("bitpal-bench-evaluator") { configuration in
            try await AlertSchema.migrate(configuration, logger: logger)
            return try await Database.use(configuration, logger: logger, measure)
        }
    }

    private static func measure(_ database: Database) async throws -> [Measurement] {
        let hook = try HookReceiver()
        defer { hook.close() }
        try await TestTape.prepare(instrument, in: database)
        let rule = try await prepare(database, hook)
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: .anyLoopbackPort),
            instance: "bench", logger: logger)
        return try await running([broker]) {
            let addresses = try await broker.bound()
            let publisher = try Publisher(
                context: context,
                configuration: PublisherConfiguration(producer: "feed", addresses: addresses), logger: logger)
            let frame = ServiceFrame(instance: "bench", logger: logger)
                .on(context, at: addresses).with(database)
            var configuration = AlertEvaluationConfiguration()
            (configuration.firingsPerHour, configuration.leastCooldown) = (0, .zero)
            let evaluator = try AlertEvaluator.services(configuration, in: frame)
            let settings = try Settings.load(
                service: "notifier", keys: NotifierConfiguration.keys,
                overrides: [
                    "addresses.allowPrivate": "true", "attempts.perSecond": "1000000",
                    "users.perHour": "1000000",
                ])
            let notifier = try Notifier.services(
                try NotifierConfiguration(settings: settings), in: frame)
            return try await running([publisher] + evaluator + notifier) {
                for await event in publisher.events where event == .brokerAppeared { break }
                let tape = try TestTape(instrument, publisher)
                try await untilLive(tape, rule, database)
                let first = try await firings(of: rule, database).count
                try await play(tape, publisher)
                return try await figures(rule, after: first, tape, hook, database)
            }
        }
    }

    /// Waits until the rule fires on a trade in time.
    private static func untilLive(_ tape: TestTape, _ rule: UniqueID, _ database: Database) async throws {
        while try await !firings(of: rule, database).contains(where: { $0.lateBy == 0 }) {
            tape.beat()
            tape.say([90, 101, 90])
            try await tape.store(in: database)
            await Task.yield()
        }
    }

    /// Says 20,000 trades a second, of which fifty rise over the level.
    private static func play(_ tape: TestTape, _ publisher: Publisher) async throws {
        let topic = try publisher.topic(Topic.trade(instrument))
        let started = ContinuousClock.now
        for step in 0..<duration * 1_000 {
            let now = BusClock.wall()
            var batch = OutboundBatch()
            for place in 0..<ticksAtOnce {
                let rises = step % 20 == 0 && place == ticksAtOnce / 2
                let price = Price(rises ? 101 : Int64(90 + (step + place) % 9))
                let trade = Trade(
                    id: "b\(step)-\(place)", side: .buy, price: price, size: Quantity(1), priceScale: .zero,
                    sizeScale: .zero, venueTime: now, receivedTime: now)
                batch.append(.trade(instrument, trade), to: topic)
            }
            publisher.offer(&batch)
            tape.beat()
            try await Task.sleep(until: started + .milliseconds(step + 1))
        }
    }

    private static func figures(
        _ rule: UniqueID, after first: Int, _ tape: TestTape, _ hook: HookReceiver, _ database: Database
    ) async throws -> [Measurement] {
        let wanted = first + duration * 50
        // On a machine that loses messages some never come: five seconds without one more end the wait.
        var (count, idle) = (0, 0)
        while count < wanted, idle < 50 {
            tape.beat()
            try await Task.sleep(for: .milliseconds(100))
            let found = min(try await firings(of: rule, database).count, hook.received.count)
            idle = found == count ? idle + 1 : 0
            count = found
        }
        let fired = try await firings(of: rule, database).dropFirst(first)
        var received: [Int64: Int64] = [:]
        for request in hook.received {
            guard let epoch = epoch(in: request.body), received[epoch] == nil else { continue }
            received[epoch] = request.time
        }
        let commits = fired.map { Double($0.stored - $0.received) / 1e6 }.sorted()
        let hooks = fired.compactMap { firing in
            received[firing.epoch].map { Double($0 - firing.received) / 1e6 }
        }.sorted()
        let told = fired.count { $0.lateBy == 0 && received[$0.epoch] != nil }
        let lost = max(0, duration * 50 - told)
        let name = "20,000 ticks/s, 50 firings/s"
        return [
            row("\(name): tick received to firing stored, p50", commits.percentile(0.5)),
            row("\(name): tick received to firing stored, p99", commits.percentile(0.99), goal: 5),
            row("\(name): tick received to webhook received, p50", hooks.percentile(0.5)),
            row("\(name): tick received to webhook received, p99", hooks.percentile(0.99), goal: 20),
            Measurement(
                "\(name): firings lost, late or not told of \(duration * 50)", "", Double(lost), goal: "0",
                meets: lost == 0),
        ]
    }

    private static func row(_ name: String, _ value: Double, goal: Double? = nil) -> Measurement {
        Measurement(
            name, "ms", value, goal: goal.map { "\(Int($0)) ms" } ?? "", meets: goal.map { value <= $0 })
    }

    private static func epoch(in body: [UInt8]) -> Int64? {
        let text = String(decoding: body, as: UTF8.self)
        guard let key = text.range(of: "\"epoch\":") else { return nil }
        return Int64(text[key.upperBound...].prefix { $0.isNumber })
    }

    /// Rules that never fire, one that does, and a channel.
    private static func prepare(_ database: Database, _ hook: HookReceiver) async throws -> UniqueID {
        var channel = Channel(
            id: key(0), user: .localOperator, name: "hook", kind: .webhook,
            settings: #"{"url":"\#(hook.url())"}"#,
            secrets: ChannelSecrets(
                json: #"{"keys":["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="]}"#),
            created: .zero, verified: .zero)
        channel.preferences.perMinute = 1_000_000
        channel.preferences.perHour = 1_000_000
        try await database.withSession { [channel] in try $0.put(channel) }
        var rules: [AlertRule] = []
        for number in 0...armed {
            let level = number == 0 ? 100 : 1_000 + number
            rules.append(
                try AlertRule(
                    json: """
                        {"id":"\(key(UInt64(number) + 1))","instrument":"\(instrument)",\
                        "condition":{"price":"last","crosses":"above","level":"\(level)"},\
                        "repeat":{"cooldown":"0s"}}
                        """))
        }
        let all = rules
        _ = try await database.transaction { session in
            try session.addRules(all, of: .localOperator, limits: RuleLimits(enabled: armed + 1), at: .zero)
        }
        return key(1)
    }

    private static func key(_ number: UInt64) -> UniqueID {
        UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number)
    }

    private static func firings(of rule: UniqueID, _ database: Database) async throws -> [StoredTimes.Row] {
        try await database.rows(StoredTimes(rule: rule))
    }

    private static func running<Value: Sendable>(
        _ services: [any Service], _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}

/// When ticks were received and their firings stored, by the clock of this machine.
private struct StoredTimes: Statement {
    struct Row {
        var epoch: Int64
        var received: Int64
        var stored: Int64
        var lateBy: Int64
    }

    static let sql = """
        SELECT epoch, received_time, fired_at, late_by FROM alerts.firing WHERE rule_id = $1 ORDER BY epoch
        """
    let rule: UniqueID

    func bind(_ parameters: inout Parameters) { parameters.append(rule) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        Row(
            epoch: try row.int64(), received: try row.int64(), stored: try row.timestamp(),
            lateBy: try row.int64())
    }
}
