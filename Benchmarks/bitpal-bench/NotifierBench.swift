import AccountStore
import AlertStore
import Alerting
import Channels
import Foundation
import Hosting
import Instruments
import Logging
import MarketStore
import Notifying
import Operations
import ServiceLifecycle
import Store
import Support

/// How fast the outbox is told, by a notifier in this process to a receiver on loopback, with every commit on
/// the disk.
enum NotifierBench {
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
    private static let rule = UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)
    private static let instrument = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    private static let receivers = 16
    private static let deliveries = 20_000
    private static let latencies = 500

    static func run() async throws -> [Measurement] {
        try await DurableStore.use("bitpal-bench-notifier") { configuration in
            try await AlertSchema.migrate(configuration, logger: logger)
            return try await Database.use(configuration, logger: logger, measure)
        }
    }

    private static func measure(_ database: Database) async throws -> [Measurement] {
        let hooks = try (0..<receivers).map { _ in try HookReceiver() }
        defer { for hook in hooks { hook.close() } }
        try await prepare(database, hooks)
        try await fire(1...(deliveries / receivers), database)
        let settings = try Settings.load(
            service: "notifier", keys: NotifierConfiguration.keys,
            overrides: [
                "addresses.allowPrivate": "true", "attempts.perSecond": "1000000", "users.perHour": "1000000",
            ])
        let services = try Notifier.services(
            try NotifierConfiguration(settings: settings),
            in: ServiceFrame(instance: "bench", logger: logger).with(database))
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map { .init(service: $0) }, logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            let started = seconds()
            tasks.addTask { try await group.run() }
            for hook in hooks { await hook.wait { $0.count >= deliveries / receivers } }
            let rate = Double(deliveries) / (seconds() - started)
            // One channel for the times from here on.
            try await database.withSession { session in
                try session.script("UPDATE alerts.channel SET disabled_at = now() WHERE name <> 'hook 1'")
            }
            let first = hooks[0]
            let before = first.received.count
            var waits: [Double] = []
            for number in 0..<latencies {
                let epoch = deliveries + number
                try await fire(epoch...epoch, database)
                let committed = clock()
                await first.wait { $0.count > before + number }
                waits.append(Double((first.received.last?.time ?? 0) - committed) / 1e6)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            waits.sort()
            return [
                Measurement(
                    "outbox told, 16 receivers on loopback", "deliveries/s", rate, goal: "", meets: nil),
                Measurement(
                    "firing committed to webhook received, p50", "ms", waits[latencies / 2], goal: "",
                    meets: nil),
                Measurement(
                    "firing committed to webhook received, p99", "ms", waits[latencies * 99 / 100],
                    goal: "20 ms", meets: waits[latencies * 99 / 100] <= 20),
            ]
        }
    }

    private static func prepare(_ database: Database, _ hooks: [HookReceiver]) async throws {
        let coin = Instrument(
            id: instrument, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
            priceScale: .zero, sizeScale: .zero)
        try await database.store([coin], at: .zero)
        let alert = try AlertRule(
            json: """
                {"id":"\(rule)","instrument":"\(instrument)",\
                "condition":{"price":"last","crosses":"above","level":"61000"},"repeat":{"cooldown":"0s"}}
                """)
        _ = try await database.transaction { session in
            try session.addRules([alert], of: .localOperator, limits: RuleLimits(), at: .zero)
        }
        for number in 1...receivers {
            var channel = Channel(
                id: UniqueID(high: rule.high, low: rule.low + 100 + UInt64(number)), user: .localOperator,
                name: "hook \(number)", kind: .webhook,
                settings: #"{"url":"\#(hooks[number - 1].url())"}"#,
                secrets: ChannelSecrets(
                    json: #"{"keys":["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="]}"#),
                created: .zero, verified: .zero)
            channel.preferences.perMinute = 1_000_000
            channel.preferences.perHour = 1_000_000
            try await database.withSession { [channel] in try $0.put(channel) }
        }
    }

    /// What the evaluator's transaction stores, for each channel that is enabled.
    private static func fire(_ epochs: ClosedRange<Int>, _ database: Database) async throws {
        try await database.transaction { session in
            try session.script(
                """
                INSERT INTO alerts.firing (rule_id, epoch, user_id, rule_version, venue, symbol, reason,
                    price, venue_time, received_time, sequence, late_by)
                SELECT '\(rule)', epoch, '\(UserID.localOperator)', 1, 'kraken', 'BTC/USD', 'last price rose',
                    61000.5, epoch, 0, 0, 0
                FROM generate_series(\(epochs.lowerBound), \(epochs.upperBound)) AS epoch;
                INSERT INTO alerts.outbox (rule_id, epoch, channel_id)
                SELECT '\(rule)', epoch, channel_id
                FROM generate_series(\(epochs.lowerBound), \(epochs.upperBound)) AS epoch, alerts.channel
                WHERE disabled_at IS NULL
                """)
        }
        try await database.withSession { try $0.hintOutbox() }
    }

    private static func clock() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
