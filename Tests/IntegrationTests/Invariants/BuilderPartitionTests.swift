import Bus
import Foundation
import MarketStore
import Store
import Support
import Testing

private let isSoak = getenv("SOAK") != nil

/// A book-builder that is cut off from the broker for a moment, or until it notices.
@Suite(
    "A book-builder in a partition", .serialized, .timeLimit(.minutes(isSoak ? 600 : 15)),
    .enabled(if: NetworkNamespace.isPermitted, "network namespaces need root and `ip`"))
struct BuilderPartitionTests {
    private static let first = getenv("SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    private static let cuts = isSoak ? 40 : 4

    @Test(
        "tells no book as live and stores no candle as sound that is not, and has all when it is back",
        arguments: (0..<(isSoak ? UInt64(10) : 1)).map { first + $0 })
    func partitions(seed: UInt64) async throws {
        let network = IsolatedNetwork(2)
        defer { network.remove() }
        try network.prepare()
        let parted = try await PartedBuilder(network)
        let database = Database(configuration: parted.configuration, logger: TestDatabase.logger)
        let publisher = try Publisher(
            context: parted.context,
            configuration: PublisherConfiguration(producer: "feed-ingestor", addresses: parted.addresses),
            logger: TestDatabase.logger)
        let subscriber = try Subscriber(
            context: parted.context,
            configuration: SubscriberConfiguration(
                name: "judge", addresses: parted.addresses,
                prefixes: ["book.top.", "book.depth.", "book.snapshot.", "heartbeat."]),
            logger: TestDatabase.logger)
        let wishes = BookWishes()
        var books = try SeededBooks(publisher, wishes, seed: seed)
        let truth = books.truth
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            group.addTask { try await subscriber.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            group.addTask { for await event in publisher.events { wishes.hear(event) } }
            group.addTask { for await batch in subscriber.batches { try truth.take(batch) } }
            var tape = try await SeededTape(3, publisher, database, seed: seed, hasLate: false)
            await books.begin()
            try await eventuallyNothing { try await parted.idleness(in: database) }
            var generator = SeededGenerator(seed: seed)
            for cut in 0..<Self.cuts {
                try await Self.go(on: &books, &tape, &generator)
                try network.part()
                try await tape.round(step: 0)
                try await Self.go(on: &books, &tape, &generator)
                if cut % 2 == 0 {
                    try await Self.letNotice(parted, &books)
                    // Later than every candle that could be wrong.
                    try await tape.round(step: 0)
                    let wrong = try await Self.wrongCandles(tape)
                    #expect(wrong == nil, "seed \(seed), cut \(cut): \(wrong ?? "")")
                }
                try network.join()
                try await Self.go(on: &books, &tape, &generator)
                await books.finish()
                try await Self.settle(&books, subscriber, parted)
                #expect(truth.faults.isEmpty, "seed \(seed), cut \(cut): \(truth.faults)")
            }
            try await tape.close()
            let wanted = try await tape.expected()
            try await eventuallyNothing {
                CandleDifference.text(try await tape.candles(), wanted) { $0.hasNumbers(of: $1) }
            }
            print("a builder cut off \(Self.cuts) times: \(truth.judged) live books, \(wanted.count) candles")
            #expect(truth.judged > Self.cuts * SeededBooks.instruments.count)
            group.cancelAll()
        }
        await database.close()
        #expect(await parted.stop() == [0, 0], "\(parted.logs)")
    }

    /// What is wrong with the candles that are stored as sound, by the trades that are stored; `nil` where
    /// nothing is.
    ///
    /// Asked while the builder is cut off: since then it has heard of nothing that happened.
    private static func wrongCandles(_ tape: SeededTape) async throws -> String? {
        let sound = try await tape.sound()
        let wanted = try await tape.expected().filter { sound[$0.key] != nil }
        let made = sound.filter { wanted[$0.key] != nil }
        return CandleDifference.text(made, wanted) { $0.hasNumbers(of: $1) }
    }

    /// Lets books and trades go on for a while.
    private static func go(
        on books: inout SeededBooks, _ tape: inout SeededTape, _ generator: inout SeededGenerator
    ) async throws {
        for _ in 0..<generator.int(1...20) {
            await books.change()
            if generator.chance(30) { try await tape.round(step: 0) }
        }
    }

    /// Lets books go on until the builder has given the broker up.
    private static func letNotice(_ parted: PartedBuilder, _ books: inout SeededBooks) async throws {
        let losses = parted.losses
        try await eventually(every: .milliseconds(50)) {
            if let trouble = parted.trouble { throw PropertyFailure(trouble) }
            await books.change()
            return parted.losses > losses
        }
    }

    /// Waits until the last of each book is told as live.
    private static func settle(
        _ books: inout SeededBooks, _ subscriber: Subscriber, _ parted: PartedBuilder
    ) async throws {
        try await eventuallyNothing {
            if let trouble = parted.trouble { throw PropertyFailure(trouble) }
            await books.answer()
            let lost = books.truth.takeLost()
            if !lost.isEmpty { subscriber.requestState(lost) }
            return books.truth.missing()
        }
    }
}
