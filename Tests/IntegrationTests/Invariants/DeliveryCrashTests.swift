import AlertStore
import Foundation
import Store
import Support
import Testing

private let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil

/// Invariant I2 through crashes, of which an abort of libzmq is one: see ``ToldFirings``.
@Suite("Deliveries through crashes", .serialized, .timeLimit(.minutes(isSoak ? 600 : 30)))
struct DeliveryCrashTests {
    private static let points = isSoak ? 250 : 8
    private static let first = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1

    @Test(
        "everything that is committed as fired arrives, each under one id, whoever ends at whichever moment",
        arguments: (0..<(isSoak ? UInt64(4) : 2)).map { first + $0 })
    func crashes(seed: UInt64) async throws {
        let platform = try await AlertPlatform()
        let receiver = try HookReceiver()
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", port: 5)
        try await platform.tell(receiver)
        let rule = try await platform.above(100)
        var generator = SeededGenerator(seed: seed)
        var rows: [ToldFirings.Row] = []
        try await platform.running { tape in
            var crossings = try await platform.round(tape, &generator, 10)
            var committed: [String] = []
            for point in 1...Self.points {
                let victim = generator.pick(["alert-evaluator", "notifier", "bus-broker", "postgres"])
                let signal = generator.pick([SIGKILL, SIGABRT])
                crossings += try await platform.round(tape, &generator, 40, at: generator.int(0...39)) {
                    // What can be seen is committed, and stays.
                    committed = try await platform.fired(rule)
                    try await platform.crash(victim, by: signal)
                }
                let place = "seed \(seed), point \(point), after \(victim) by \(signal)"
                let kept = try await platform.fired(rule)
                try #require(kept.starts(with: committed), "\(place): \(committed.count) fired, \(kept)")
                try await platform.wait(tape, rule, for: crossings)
                let faults = AlertPlatform.faults(try await platform.fired(rule), crossings)
                try #require(faults.isEmpty, "\(place): \(faults)\n\(platform.logs)")
            }
            rows = try await platform.allTold(rule, tape)
        }
        let told = ToldFirings(rows, received: receiver.received.map { ($0.id, $0.body) })
        #expect(told.faults == [], "seed \(seed)")
        print("deliveries, seed \(seed): \(Self.points) ended, \(rows.count) in \(receiver.received.count)")
        let statuses = try await platform.stop()
        #expect(statuses["alert-evaluator"] == 0 && statuses["notifier"] == 0, "\(platform.logs)")
        receiver.close()
    }
}

/// The harness itself: faults that are planted where the programs cannot see it, in the database.
@Suite("Faults planted in what the harness of deliveries looks at", .serialized, .timeLimit(.minutes(30)))
struct PlantedDeliveryTests {
    /// A trigger that spoils the delivery of the third firing of each rule.
    private static func trigger(_ moment: String, _ body: String) -> String {
        """
        CREATE FUNCTION alerts.spoil() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.epoch = 3 THEN \(body) END IF;
            RETURN NEW;
        END
        $$;
        CREATE TRIGGER spoil \(moment) INSERT ON alerts.outbox FOR EACH ROW EXECUTE FUNCTION alerts.spoil();
        """
    }

    /// What the harness says of a platform with a fault, after a crash of who tells.
    private static func faults(_ planted: String) async throws -> [String] {
        let platform = try await AlertPlatform()
        let receiver = try HookReceiver()
        if !planted.isEmpty { try await platform.database.withSession { try $0.script(planted) } }
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", port: 5)
        try await platform.tell(receiver)
        let rule = try await platform.above(100)
        var generator = SeededGenerator(seed: 1)
        var rows: [ToldFirings.Row] = []
        try await platform.running { tape in
            let crossings = try await platform.round(tape, &generator, 20, at: 7) {
                try await platform.crash("notifier", by: SIGABRT)
            }
            try await platform.wait(tape, rule, for: crossings)
            rows = try await platform.allTold(rule, tape)
        }
        _ = try await platform.stop()
        receiver.close()
        return ToldFirings(rows, received: receiver.received.map { ($0.id, $0.body) }).faults
    }

    @Test("there are none where nothing is planted")
    func sound() async throws { #expect(try await Self.faults("") == []) }

    @Test("a delivery that is lost before anybody is told is found")
    func lost() async throws {
        let removal = "DELETE FROM alerts.outbox WHERE delivery_id = NEW.delivery_id;"
        let faults = try await Self.faults(Self.trigger("AFTER", removal))
        #expect(faults.count == 1 && faults[0].hasSuffix(" has 0 deliveries"), "\(faults)")
    }

    @Test("one that counts as delivered and never was is found")
    func unsent() async throws {
        let lie = "NEW.state := 'delivered'; NEW.ended_at := now();"
        let faults = try await Self.faults(Self.trigger("BEFORE", lie))
        #expect(faults.count == 1 && faults[0].hasSuffix(" and did not arrive"), "\(faults)")
    }

    @Test("are named one by one")
    func judged() {
        let rows = [
            ToldFirings.Row(trade: "a", delivery: "1"), ToldFirings.Row(trade: "b", delivery: "2"),
        ]
        func faults(_ rows: [ToldFirings.Row], _ received: [(String, String)]) -> [String] {
            ToldFirings(rows, received: received.map { (id: $0.0, body: Array($0.1.utf8)) }).faults
        }
        #expect(faults(rows, [("1", "a"), ("2", "b"), ("1", "a")]) == [])
        #expect(faults(rows, [("1", "a")]) == ["b is delivered as 2 and did not arrive"])
        #expect(faults(rows, [("1", "a"), ("2", "b"), ("2", "c")]) == ["b arrived as 2 messages under 2"])
        #expect(faults(rows, [("1", "a"), ("2", "b"), ("3", "c")]) == ["nothing fired for 3"])
        #expect(faults(rows, [("1", "a"), ("2", "a")]) == ["one message came under two ids"])
        #expect(faults([ToldFirings.Row(trade: "a", delivery: nil)], []) == ["a has 0 deliveries"])
        let twice = [ToldFirings.Row(trade: "a", delivery: "1"), ToldFirings.Row(trade: "a", delivery: "2")]
        #expect(faults(twice, [("1", "a"), ("2", "b")]) == ["a has 2 deliveries"])
    }
}

extension AlertPlatform {
    /// Waits until nothing is to be told any more; what there was.
    fileprivate func allTold(_ rule: StoredRule, _ tape: TestTape) async throws -> [ToldFirings.Row] {
        var rows: [ToldFirings.Row] = []
        try await eventually(every: .milliseconds(50)) {
            try checkProcesses()
            tape.beat()
            rows = try await told(rule)
            return ToldFirings.areTold(rows)
        }
        return rows
    }
}
