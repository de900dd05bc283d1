import Bus
import Instruments
import Logging
import MarketData
import MarketStore
import Store
import Support
import Testing
import Wire

/// Real sessions through venue-simulator, feed-ingestor, the bus and book-builder, each a process of its own.
@Suite("A recorded session through separate processes", .serialized, .timeLimit(.minutes(10)))
struct RecordedSessionTests {
    private static let names = [
        "bitmex_20210722", "kraken_v1_20210417", "kraken_v2_btcusd_20260802", "binance_20211012",
    ]

    @Test(
        "gives the expected final books and trades, on the bus and in PostgreSQL",
        .enabled(if: RecordingsFolder.isAvailable), arguments: names)
    func wholeSession(name: String) async throws {
        let session = try ExpectedSession(name)
        let platform = try await Platform(session, speed: "max")
        try platform.start()
        let observer = try await watch(platform, session) { _, _ in }
        #expect(observer.firstDifference(from: session) == nil, "\(platform.logs)")
        for (symbol, expected) in Dictionary(grouping: session.trades, by: \.symbol) {
            let id = InstrumentID(venue: session.venue, symbol: symbol)
            #expect(observer.trades[id, default: []].map { $0.expected(symbol) } == expected)
        }
        let statuses = await platform.stop()
        #expect(statuses.allSatisfy { $0.value == 0 }, "\(statuses) \(platform.logs)")
    }

    @Test(
        "is whole again after a crash in mid-stream, with every trade stored once",
        .enabled(if: RecordingsFolder.isAvailable),
        arguments: ["bus-broker", "feed-ingestor", "book-builder"])
    func crash(service: String) async throws {
        let session = try ExpectedSession("bitmex_20210722")
        let platform = try await Platform(session, speed: "10")
        try platform.start()
        var hasCrashed = false
        let observer = try await watch(platform, session) { observer, platform in
            guard !hasCrashed, observer.deltas > 300 else { return }
            hasCrashed = true
            try await platform.restart(service)
        }
        #expect(hasCrashed)
        #expect(observer.firstDifference(from: session) == nil, "\(platform.logs)")
        _ = await platform.stop()
    }

    /// Follows the bus until the final books are there and PostgreSQL has all trades, each once.
    private func watch(
        _ platform: Platform, _ session: ExpectedSession,
        _ step: (BusObserver, Platform) async throws -> Void
    ) async throws -> BusObserver {
        let context = try BusContext()
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(
                name: "observer", addresses: platform.addresses,
                prefixes: ["book.delta.", "book.snapshot.", "trade.", "heartbeat."]),
            logger: TestDatabase.logger)
        let database = Database(configuration: platform.database, logger: TestDatabase.logger)
        var observer = BusObserver()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await subscriber.run() }
            for await batch in subscriber.batches {
                try observer.take(batch)
                if !observer.wanted.isEmpty {
                    subscriber.requestState(observer.wanted.flatMap(Self.bookPrefixes))
                    observer.asked()
                }
                try await step(observer, platform)
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
        [Topic.bookSnapshot(id), Topic.bookDelta(id)]
    }

    /// Whether every expected trade is stored, and nothing else.
    private func isStored(_ session: ExpectedSession, in database: Database) async throws -> Bool {
        for (symbol, expected) in Dictionary(grouping: session.trades, by: \.symbol) {
            let id = InstrumentID(venue: session.venue, symbol: symbol)
            let stored = try await database.rows(RecentTrades(id, limit: 100_000))
            if stored.count > expected.count { throw TooManyTrades(symbol: symbol, stored: stored.count) }
            let rows = Set(stored.map { $0.expected(symbol) })
            guard stored.count == expected.count, rows == Set(expected) else { return false }
        }
        return true
    }

    private struct TooManyTrades: Error { var symbol: String; var stored: Int }
}
