import Bus
import Foundation
import MarketStore
import Store
import Support
import Testing

/// Book-builders that are killed while trades come.
@Suite("Candles after many crashes", .serialized, .timeLimit(.minutes(10)))
struct BuilderCrashTests {
    private static let isSoak = getenv("SOAK") != nil
    private static let first = getenv("SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    private static let instruments = 6
    private static let rounds = 240

    @Test(
        "are those of an undisturbed run, field by field, nothing missing and nothing twice",
        arguments: (0..<(isSoak ? UInt64(25) : 1)).map { first + $0 })
    func crashes(seed: UInt64) async throws {
        let expected = try await run(seed: seed, kills: 0) { tape, fleet in
            let wanted = try await tape.expected()
            var made: [StoredCandle: CandleRow] = [:]
            try await eventuallyNothing {
                made = try await tape.candles()
                let extra = made.keys.first { wanted[$0] == nil }.map { "nobody else has the candle \($0)" }
                let other = extra ?? CandleDifference.text(made, wanted) { $0.hasNumbers(of: $1) }
                return other.map { "\($0); \(fleet.presence); \(fleet.logs)" }
            }
            return made
        }
        _ = try await run(seed: seed, kills: 20) { tape, fleet in
            try await eventuallyNothing {
                let made = try await tape.candles()
                if let extra = made.keys.first(where: { expected[$0] == nil }) {
                    throw PropertyFailure("seed \(seed): nobody else has the candle \(extra)")
                }
                return CandleDifference.text(made, expected) { $0 == $1 }.map {
                    "\($0); \(fleet.presence); \(fleet.logs)"
                }
            }
            return expected
        }
        #expect(expected.count > 1_000)
    }

    /// One whole run of the same trades; `finish` waits for its end.
    private func run(
        seed: UInt64, kills: Int,
        _ finish: (SeededTape, BuilderFleet) async throws -> [StoredCandle: CandleRow]
    ) async throws -> [StoredCandle: CandleRow] {
        let fleet = try await BuilderFleet(leases: "1s")
        let publisher = try fleet.feed()
        let database = Database(configuration: fleet.configuration, logger: TestDatabase.logger)
        var result: [StoredCandle: CandleRow] = [:]
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            var tape = try await SeededTape(Self.instruments, publisher, database, seed: seed)
            for place in 0..<2 { try fleet.start(place) }
            try await eventuallyNothing { try await fleet.idleness(0, in: database) }
            var generator = SeededGenerator(seed: seed)
            let moments = (0..<kills).map { _ in generator.int(0...Self.rounds - 1) }
            for round in 0..<Self.rounds {
                for _ in moments.filter({ $0 == round }) {
                    let place = generator.int(0...1)
                    await fleet.kill(place, by: generator.pick([SIGKILL, SIGABRT]))
                    try fleet.start(place)
                    // Most are killed while they work, some while they begin.
                    if generator.chance(30) { continue }
                    try await eventuallyNothing { try await fleet.idleness(place, in: database) }
                }
                try await tape.round()
            }
            // Who begins after the last trade hears of none, and from nobody that candles are over.
            for place in 0..<2 {
                try await eventuallyNothing { try await fleet.idleness(place, in: database) }
            }
            try await tape.close()
            result = try await finish(tape, fleet)
            // A builder that had no processor for a second is refused, which is what leases are for.
            let violations = try await database.first(EpochViolations())
            print("\(kills) kills: \(result.count) candles compared, writes refused: \(violations ?? -1)")
            group.cancelAll()
        }
        await database.close()
        #expect(await fleet.stop().allSatisfy { $0 == 0 }, "\(fleet.logs)")
        return result
    }
}
