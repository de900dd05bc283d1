import Bus
import Foundation
import Instruments
import Logging
import MarketData
import MarketStore
import Recordings
import Store
import Support
import Testing
import Venues
import Wire

/// Real sessions through venue-simulator, feed-ingestor, the bus and book-builder.
@Suite("A recorded session through the whole platform", .serialized, .timeLimit(.minutes(10)))
struct RecordedSessionTests {
    /// Six of them, one for each way to prove a book; with `SOAK` all that there are.
    private static let names: [String] = {
        guard getenv("SOAK") != nil else {
            return [
                "bitmex_20210722", "kraken_v1_20210417", "kraken_v2_btcusd_20260802", "binance_20211012",
                "binanceus_20211012", "binancefutures_20210722",
            ]
        }
        return RecordingsFolder.names { VenueCatalogue.standard[$0.venue] != nil }
    }()

    /// Each is a moment and a signal of a crash.
    private static let seeds: [UInt64] = {
        let first = getenv("SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
        return (0..<(getenv("SOAK") == nil ? 1 : 20)).map { first + $0 }
    }()

    @Test(
        "gives the expected final books and trades, on the bus and in PostgreSQL",
        .enabled(if: RecordingsFolder.isAvailable), arguments: names, Platform.Shape.allCases)
    func wholeSession(name: String, shape: Platform.Shape) async throws {
        _ = try await play(ExpectedSession(name), shape)
    }

    @Test(
        "gives the same normalised events twice in a row, in one process and in four",
        .enabled(if: RecordingsFolder.isAvailable),
        arguments: ["bitmex_20210722", "kraken_v2_btcusd_20260802"])
    func sameEvents(name: String) async throws {
        let session = try ExpectedSession(name)
        let first = try await play(session, .separate).market
        for shape in [Platform.Shape.separate, .oneProcess] {
            // `up` begins at once: at this speed whoever joins then still sees most of it.
            let again = try await play(session, shape, speed: shape == .separate ? "max" : "5").market
            var compared = 0
            for (topic, events) in first {
                // The observer may have come late or left early: what both have seen is compared.
                let other = again[topic] ?? [:]
                let common = events.keys.filter { other[$0] != nil }
                compared += common.count
                let different = common.filter { events[$0] != other[$0] }
                #expect(different.isEmpty, "\(topic) \(shape): \(different.sorted().prefix(5))")
            }
            #expect(compared > 100)
        }
    }

    /// Plays a whole session and compares its end with what is expected.
    private func play(
        _ session: ExpectedSession, _ shape: Platform.Shape, speed: String = "max"
    ) async throws -> BusObserver {
        let platform = try await Platform(session, speed: speed, shape: shape)
        try platform.startFirst()
        let observer = try await watch(platform, session) { _, platform in try platform.startRest() }
        #expect(observer.firstDifference(from: session) == nil, "\(platform.logs)")
        for (symbol, expected) in Dictionary(grouping: session.trades, by: \.symbol) {
            let id = InstrumentID(venue: session.venue, symbol: symbol)
            let seen = observer.trades[id, default: []].map { $0.expected(symbol) }
            // PostgreSQL has all of them by now. `up` begins at once, so that the bus may be joined late.
            if shape == .separate { #expect(seen == expected) }
            #expect(seen == expected.suffix(seen.count))
        }
        let statuses = await platform.stop()
        #expect(statuses.allSatisfy { $0.value == 0 }, "\(statuses) \(platform.logs)")
        return observer
    }

    @Test(
        "is whole again after a crash in mid-stream, with every trade stored once",
        .enabled(if: RecordingsFolder.isAvailable),
        arguments: ["bus-broker", "feed-ingestor", "book-builder"], seeds)
    func crash(service: String, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let (moment, signal) = (generator.int(1...1_000), generator.pick([SIGKILL, SIGABRT]))
        let session = try ExpectedSession("bitmex_20210722")
        let platform = try await Platform(session, speed: "10")
        try platform.start()
        let clock = ContinuousClock()
        var crashed: ContinuousClock.Instant?
        var recovery: Duration?
        let observer = try await watch(platform, session) { observer, platform in
            if let crashed {
                // What was on its way when it happened may still look well: the last time counts.
                let isRecovered = observer.isRecovered(session)
                recovery = isRecovered ? recovery ?? clock.now - crashed : nil
            } else if observer.deltas > moment {
                crashed = clock.now
                observer.forget()
                try await platform.restart(service, by: signal)
            }
        }
        #expect(crashed != nil, "seed \(seed)")
        // A figure for a person: how long it takes depends on the machine, so nothing is asserted.
        let time = recovery.map { "\($0)" } ?? "with the last message"
        print("recovery after signal \(signal) to \(service) at delta \(moment): \(time)")
        #expect(observer.firstDifference(from: session) == nil, "seed \(seed): \(platform.logs)")
        _ = await platform.stop()
    }

    /// Follows the bus until the final books are there and PostgreSQL has all trades, each once.
    private func watch(
        _ platform: Platform, _ session: ExpectedSession,
        _ step: (inout BusObserver, Platform) async throws -> Void
    ) async throws -> BusObserver {
        let context = try BusContext()
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(
                name: "observer", addresses: platform.addresses,
                prefixes: [
                    "book.delta.", "book.snapshot.", "book.depth.", "trade.", "ticker.", "heartbeat.",
                ]),
            logger: TestDatabase.logger)
        let database = Database(configuration: platform.database, logger: TestDatabase.logger)
        var observer = BusObserver()
        // What plays the session may begin once nothing of it can be missed.
        var isJoined = false
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await subscriber.run() }
            for await batch in subscriber.batches {
                for case .synchronized in batch.events { isJoined = true }
                try observer.take(batch)
                if !observer.wanted.isEmpty {
                    subscriber.requestState(observer.wanted.flatMap(Self.bookPrefixes))
                    observer.asked()
                }
                if isJoined { try await step(&observer, platform) }
                // Heartbeats come every second, so that this is looked at again when nothing else happens.
                guard observer.hasFinalBooks(of: session) else { continue }
                if try await isStored(session, in: database) { break }
            }
            subscriber.finish()
            group.cancelAll()
        }
        await database.close()
        return observer
    }

    private static func bookPrefixes(_ id: InstrumentID) -> [String] {
        [Topic.bookSnapshot(id), Topic.bookDelta(id), Topic.bookDepth(id)]
    }

    /// Whether every expected trade is stored, and nothing else.
    private func isStored(_ session: ExpectedSession, in database: Database) async throws -> Bool {
        for (symbol, expected) in Dictionary(grouping: session.trades, by: \.symbol) {
            let id = InstrumentID(venue: session.venue, symbol: symbol)
            let stored = try await database.recentTrades(of: id, limit: 100_000)
            if stored.count > expected.count { throw TooManyTrades(symbol: symbol, stored: stored.count) }
            let rows = Set(stored.map { $0.expected(symbol) })
            guard stored.count == expected.count, rows == Set(expected) else { return false }
        }
        return true
    }

    private struct TooManyTrades: Error { var symbol: String; var stored: Int }
}
