import Foundation
import Support
import Testing

/// Something that decides, with a fault for those who look for it: `PLANTED_CHAOS=order` or `clock`.
@Suite("A simulation with a planted fault")
struct PlantedSimulationTests {
    static let variable = "PLANTED_CHAOS"

    @Test("decides in an order of its own")
    func simulation() {
        Self.simulate(ProcessInfo.processInfo.environment[Self.variable] ?? "")
    }

    static func simulate(_ fault: String) {
        property(cases: 3) { rng in
            let waiting = Set((0..<50).map { _ in "instrument \(rng.int(0...1_000_000))" })
            for name in fault == "order" ? Array(waiting) : waiting.sorted() { rng.note("fire \(name)") }
            if fault == "clock" { rng.note("at \(DispatchTime.now().uptimeNanoseconds)") }
            if fault == "chance" { rng.note("jitter \(UInt64.random(in: 0...(.max)))") }
        }
    }
}

/// The same seeds in two processes: what is done in the order of a dictionary is done in another one there.
@Suite("Simulations of the same seed", .serialized, .timeLimit(.minutes(10)))
struct SimulationTraceTests {
    /// Suites with simulations: protocols, books, candles, alerts, leases, retries, ledgers, backups.
    private static let suites = [
        "AlertingTests.AlertModelTests", "BookBuildingTests.BookSetModelTests",
        "BookBuildingTests.InstrumentMarketTests", "BookBuildingTests.RefetchModelTests",
        "MarketDataTests.BookReplicaModelTests", "NotifyingTests.DispatchSimulationTests",
        "NotifyingTests.ScheduleTests", "OperatorCommandsTests.BackupAgendaTests",
        "PortfolioTests.LedgerInvariantTests", "StoreTests.LeasePlanTests", "WebTests.BackoffTests",
    ]

    /// What the simulations of some suites decided in a process of their own.
    private static func traces(
        of suites: [String], cases: Int, _ environment: [String: String] = [:]
    ) async throws -> String {
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        let folder = try TestDatabase.temporaryDirectory()
        let variables = [DecisionTraces.variable: folder + "/traces", "CASES": "\(cases)", "SEED": "1"]
        let filters = suites.flatMap { suite in
            ["--filter", "^" + suite.replacing(".", with: "\\.") + "/"]
        }
        let child = try ChildProcess(
            URL(filePath: bundle).path,
            arguments: ["--testing-library", "swift-testing", "--no-parallel"] + filters,
            environment: environment.merging(variables) { $1 }, folder: folder)
        let status = await child.exitStatus()
        // What is planted may show within one process already: a set lies by its address, too.
        #expect(status == 0 || !environment.isEmpty, "\(child.output.suffix(4_000))")
        return try String(contentsOfFile: folder + "/traces", encoding: .utf8)
    }

    @Test("decide the same in each process, to the last decision")
    func equal() async throws {
        let soak = ProcessInfo.processInfo.environment["SOAK"] == "1"
        let cases = soak ? 200 : 10
        let one = try await Self.traces(of: Self.suites, cases: cases)
        let other = try await Self.traces(of: Self.suites, cases: cases)
        #expect(DecisionTraces.differences(one, other) == [])
        // None of them was passed over.
        for suite in Self.suites {
            let target = suite.prefix { $0 != "." }
            #expect(one.contains("\n\(target)/") || one.hasPrefix("\(target)/"), "\(suite)")
        }
        #expect(one.split(separator: "\n").count >= Self.suites.count * cases)
    }

    @Test("that decide in the order of a set are found, and the seed is named")
    func order() async throws {
        let suites = ["IntegrationTests.PlantedSimulationTests"]
        let planted = [PlantedSimulationTests.variable: "order"]
        let one = try await Self.traces(of: suites, cases: 3, planted)
        let other = try await Self.traces(of: suites, cases: 3, planted)
        let differences = DecisionTraces.differences(one, other)
        #expect(differences.first?.hasSuffix("seed 1") == true)
        #expect(differences.allSatisfy { $0.contains("SimulationTraceTests.swift:") })
        let sound = try await Self.traces(of: suites, cases: 3)
        #expect(DecisionTraces.differences(sound, try await Self.traces(of: suites, cases: 3)) == [])
    }

    @Test(
        "that look at a clock or at chance of their own are found in one process",
        arguments: ["clock", "chance"])
    func clock(_ fault: String) {
        withKnownIssue {
            PlantedSimulationTests.simulate(fault)
        } matching: { issue in
            let words = issue.comments.map(\.rawValue).joined()
            return words.contains("fails with seed 1: decision 51 is another when the seed is run again")
        }
    }

    @Test("are compared by place and seed, also where only one process has them")
    func compared() {
        let one = "A/b.swift:7 seed 1: 4 ab\nA/b.swift:7 seed 2: 4 ac\n"
        #expect(DecisionTraces.differences(one, "A/b.swift:7 seed 2: 4 ac\n") == ["A/b.swift:7 seed 1"])
        #expect(DecisionTraces.differences(one, one.replacing("ac", with: "ad")) == ["A/b.swift:7 seed 2"])
        #expect(DecisionTraces.differences(one, one + one) == [])
    }
}
