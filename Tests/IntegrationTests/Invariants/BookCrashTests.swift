import Foundation
import Store
import Support
import Testing

/// Hours at full size.
private let patience = getenv("SOAK") == nil ? 30 : 600

/// Invariant I1 through crashes, of which an abort of libzmq is one: see ``VenueBooks``.
@Suite("Books through crashes", .serialized, .timeLimit(.minutes(patience)))
struct BookCrashTests {
    private static let isSoak = getenv("SOAK") != nil
    private static let first = getenv("SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    private static let kills = isSoak ? 40 : 6

    @Test(
        "are the venue's wherever they are told as live, whoever ends at whichever moment",
        arguments: (0..<(isSoak ? UInt64(25) : 3)).map { first + $0 })
    func crashes(seed: UInt64) async throws {
        let (faults, judged) = try await BookRun.faults(seed: seed) { books, fleet, database in
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<Self.kills {
                for _ in 0..<generator.int(1...40) { await books.change() }
                try await Self.end(generator.int(0...2), &generator, fleet, database)
            }
            for _ in 0..<40 { await books.change() }
        }
        print("books, seed \(seed): \(Self.kills) ended, \(judged) live books compared")
        #expect(faults.isEmpty, "seed \(seed): \(faults)")
        #expect(judged > SeededBooks.instruments.count)
    }

    /// Ends a builder, or the broker with all that it keeps, and starts it again.
    private static func end(
        _ victim: Int, _ generator: inout SeededGenerator, _ fleet: BuilderFleet, _ database: Database
    ) async throws {
        let signal = generator.pick([SIGKILL, SIGABRT])
        guard victim < 2 else { return try await fleet.crashBroker(by: signal) }
        await fleet.kill(victim, by: signal)
        try fleet.start(victim)
        // Most are ended while they work, some while they begin.
        if generator.chance(30) { return }
        try await eventuallyNothing { try await fleet.idleness(victim, in: database) }
    }
}

/// The harness itself: what it says of a builder that is told less than it believes.
@Suite("Faults planted in what the harness of books looks at", .serialized, .timeLimit(.minutes(30)))
struct PlantedBookTests {
    /// What the harness says of books of which a change is passed over, or not, after a crash.
    private static func faults(skips: Bool) async throws -> [String] {
        try await BookRun.faults(seed: 1) { books, fleet, database in
            for _ in 0..<10 { await books.change() }
            await fleet.kill(0)
            try fleet.start(0)
            try await eventuallyNothing { try await fleet.idleness(0, in: database) }
            await books.change()
            if skips { books.skip(3) }
        }.faults
    }

    @Test("there are none where nothing is planted")
    func sound() async throws { #expect(try await Self.faults(skips: false) == []) }

    @Test("a gap that is passed over is found, with the book and the message")
    func skipped() async throws {
        let faults = try await Self.faults(skips: true)
        let book = "\(SeededBooks.instruments[3]) is told as live at feed-ingestor/"
        #expect(!faults.isEmpty && faults.allSatisfy { $0.hasPrefix(book) }, "\(faults)")
    }
}
