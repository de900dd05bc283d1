import Foundation
import Support
import Testing

/// Minutes; at full size it takes hours.
private let patience = ProcessInfo.processInfo.environment["SOAK"] == nil ? 30 : 600

@Suite("Alerts through crashes", .serialized, .timeLimit(.minutes(patience)))
struct AlertCrashTests {
    private static let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil
    /// `SEED=n` repeats or goes on from another.
    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? .random(in: 1...1_000_000)
    }

    @Test("every crossing has exactly one firing, whoever is killed at whichever moment")
    func killed() async throws {
        let platform = try await AlertPlatform()
        try platform.start("bus-broker", port: 4)
        try platform.start("alert-evaluator", port: 5)
        let rule = try await platform.above(100)
        let seed = Self.seed
        var generator = SeededGenerator(seed: seed)
        try await platform.running { tape in
            var crossings = try await platform.round(tape, &generator, 10)
            try await platform.wait(tape, rule, for: crossings)
            for point in 1...(Self.isSoak ? 1_000 : 20) {
                let victim = generator.pick(["alert-evaluator", "bus-broker", "postgres"])
                let signal = generator.pick([SIGKILL, SIGABRT])
                crossings += try await platform.round(tape, &generator, 40, at: generator.int(0...39)) {
                    try await platform.crash(victim, by: signal)
                }
                try await platform.wait(tape, rule, for: crossings)
                let faults = AlertPlatform.faults(try await platform.fired(rule), crossings)
                try #require(
                    faults.isEmpty,
                    "seed \(seed), point \(point), after \(victim): \(faults)\n\(platform.logs)")
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
        try await platform.running { tape in
            var crossings = try await platform.round(tape, &generator, 10)
            try await platform.wait(tape, rule, for: crossings)
            for number in 0..<(Self.isSoak ? 200 : 6) {
                let name = number % 2 == 0 ? "one" : "two"
                crossings += try await platform.round(tape, &generator, 40, at: generator.int(0...39)) {
                    platform.signal(SIGSTOP, name)
                }
                // The other one takes over, if it was not its own already.
                try await platform.wait(tape, rule, for: crossings)
                crossings += try await platform.round(tape, &generator, 40, at: generator.int(0...39)) {
                    platform.signal(SIGCONT, name)
                }
                try await platform.wait(tape, rule, for: crossings)
                let faults = AlertPlatform.faults(try await platform.fired(rule), crossings)
                try #require(faults.isEmpty, "seed \(seed): \(faults)\n\(platform.logs)")
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
