import Foundation
import Store
import Support
import Testing

private let patience = ProcessInfo.processInfo.environment["SOAK"] == nil ? 30 : 600

@Suite("Alerts through partitions", .serialized, .timeLimit(.minutes(patience)))
struct AlertPartitionTests {
    private static let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil
    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? .random(in: 1...1_000_000)
    }

    @Test("every crossing has exactly one firing, whatever an evaluator is cut off from, and for how long")
    func alone() async throws {
        let platform = try await AlertPlatform()
        let link = try platform.link()
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", port: 5, by: link)
        let rule = try await platform.above(100)
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        try await platform.running { tape in
            var crossings = try await platform.round(tape, &generator, 10)
            try await platform.wait(tape, rule, for: crossings)
            for point in 1...(Self.isSoak ? 500 : 9) {
                let part = PlatformLink.Part.allCases[point % 3]
                crossings += try await platform.round(tape, &generator, 40, at: generator.int(0...39)) {
                    link.cut(part)
                }
                crossings += try await platform.round(tape, &generator, generator.int(0...60))
                link.heal()
                try await platform.wait(tape, rule, for: crossings)
                let faults = AlertPlatform.faults(try await platform.fired(rule), crossings)
                try #require(
                    faults.isEmpty,
                    "seed \(seed), point \(point), without \(part): \(faults)\n\(platform.logs)")
            }
        }
        let statuses = try await platform.stop()
        #expect(statuses["alert-evaluator"] == 0)
        link.close()
    }

    @Test("another evaluator takes over from one that is cut off, which tells nothing twice when it is back")
    func fleet() async throws {
        let platform = try await AlertPlatform()
        let links = [try platform.link(), try platform.link()]
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", as: "one", port: 5, by: links[0])
        try platform.start("alert-evaluator", as: "two", port: 6, by: links[1])
        let rule = try await platform.above(100)
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        try await platform.running { tape in
            var crossings = try await platform.round(tape, &generator, 10)
            try await platform.wait(tape, rule, for: crossings)
            for point in 0..<(Self.isSoak ? 200 : 6) {
                let link = links[point % 2]
                crossings += try await platform.round(tape, &generator, 40, at: generator.int(0...39)) {
                    link.cut(.everything)
                }
                // The other one takes over, if it was not its own already.
                try await platform.wait(tape, rule, for: crossings)
                crossings += try await platform.round(tape, &generator, 40, at: generator.int(0...39)) {
                    link.heal()
                }
                try await platform.wait(tape, rule, for: crossings)
                let faults = AlertPlatform.faults(try await platform.fired(rule), crossings)
                try #require(faults.isEmpty, "seed \(seed), point \(point): \(faults)\n\(platform.logs)")
            }
        }
        let statuses = try await platform.stop()
        #expect(statuses["one"] == 0 && statuses["two"] == 0)
        for link in links { link.close() }
    }
}

/// The harness itself: faults that are planted where the programs cannot see it, in the database.
@Suite("Faults planted in what the crash harness looks at", .serialized, .timeLimit(.minutes(30)))
struct PlantedFaultTests {
    /// A trigger that spoils the third firing of each rule.
    private static func trigger(_ body: String) -> String {
        """
        CREATE FUNCTION alerts.spoil() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.epoch = 3 THEN \(body) END IF;
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER spoil AFTER INSERT ON alerts.firing FOR EACH ROW EXECUTE FUNCTION alerts.spoil();
        """
    }

    /// What the harness says of a platform with a fault, after a crash.
    private static func faults(_ planted: String) async throws -> [String] {
        let platform = try await AlertPlatform()
        if !planted.isEmpty { try await platform.database.withSession { try $0.script(planted) } }
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", port: 5)
        let rule = try await platform.above(100)
        var generator = SeededGenerator(seed: 1)
        var faults: [String] = []
        try await platform.running { tape in
            var crossings = try await platform.round(tape, &generator, 20)
            crossings += try await platform.round(tape, &generator, 20, at: 7) {
                try await platform.crash("alert-evaluator")
            }
            // They fire in their order: with the last one the others have, or never will.
            let last = crossings.last ?? ""
            try await eventually {
                try platform.checkProcesses()
                tape.beat()
                return try await platform.fired(rule).contains(last)
            }
            faults = AlertPlatform.faults(try await platform.fired(rule), crossings)
        }
        _ = try await platform.stop()
        return faults
    }

    @Test("there are none where nothing is planted")
    func sound() async throws { #expect(try await Self.faults("") == []) }

    @Test("a firing that is lost is found")
    func lost() async throws {
        let removal = "DELETE FROM alerts.firing WHERE rule_id = NEW.rule_id AND epoch = NEW.epoch;"
        let faults = try await Self.faults(Self.trigger(removal))
        #expect(faults.count == 1 && faults[0].hasSuffix("has no firing"), "\(faults)")
    }

    @Test("a firing that is told twice is found")
    func doubled() async throws {
        let copy = "NEW.epoch := 1000000; INSERT INTO alerts.firing SELECT NEW.*;"
        let faults = try await Self.faults(Self.trigger(copy))
        #expect(faults.count == 1 && faults[0].hasSuffix("has 2 firings"), "\(faults)")
    }

    @Test("are named one by one")
    func judged() {
        #expect(AlertPlatform.faults(["a", "b"], ["a", "b"]) == [])
        #expect(AlertPlatform.faults(["a"], ["a", "b"]) == ["b has no firing"])
        #expect(AlertPlatform.faults(["a", "b", "a"], ["a", "b"]) == ["a has 2 firings"])
        #expect(AlertPlatform.faults(["a", "c"], ["a"]) == ["c fired without a crossing"])
        #expect(AlertPlatform.faults(["b", "a"], ["a", "b"]) == ["they fired in another order"])
    }
}
