import AlertStore
import Store
import Support
import Testing

@testable import AlertEvaluation

@Suite("A storm of crossings", .timeLimit(.minutes(10)))
struct StormTests {
    private struct Crash: Error {}

    @Test("is told so many times an hour and quieted once, with a crash between")
    func storm() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.above(105)
            await #expect(throws: Crash.self) {
                // Ended without a last commit, as by a crash.
                try await fixture.evaluating(firingsPerHour: 3) {
                    try await eventually {
                        fixture.tape.beat()
                        fixture.tape.say([100, 110])
                        try await fixture.tape.store(in: fixture.database)
                        return try await fixture.firings(rule).contains { $0.kind == "quieted" }
                    }
                    throw Crash()
                }
            }
            let end = try await fixture.above(500)
            try await fixture.evaluating(firingsPerHour: 3) {
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, 110, 600])
                    try await fixture.tape.store(in: fixture.database)
                    return try await fixture.haveFired([end])
                }
            }
            let told = try await fixture.firings(rule).filter { ["fired", "quieted"].contains($0.kind) }
            #expect(told.map(\.kind) == ["fired", "fired", "fired", "quieted"])
            #expect(told.last?.reason.contains("it fired 3 times within an hour") == true)
        }
    }
}
