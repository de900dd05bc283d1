import Bus
import Instruments
import Logging
import MarketData
import MarketStore
import Operations
import Store
import Support
import Synchronization
import Testing
import Venues
import Wire

@testable import FeedIngestion

@Suite("Storing of trades", .timeLimit(.minutes(10)))
struct StoringTests {
    private let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")

    @Test("says that trades are stored once they are")
    func stored() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                try await fixture.reading(["trade.stored."]) { bus in
                    try await running(fixture.ingestor(database: database)) {
                        let line = try await fixture.venue.connection()
                        try await line.wait(for: "trade:XBTUSD")
                        line.send(BitMEXWords.trade("t1", at: 1))
                        line.send(BitMEXWords.trade("t2", at: 2))
                        while try await bus.stored() != "t2" {}
                        #expect(try await ids(database) == ["t1", "t2"])
                    }
                }
            }
        }
    }

    @Test("fetches what happened while it was away, and has every trade once")
    func backfill() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                try await serving(fixture.ingestor(database: database)) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "trade:XBTUSD")
                    line.send(BitMEXWords.trade("t1", at: 1))
                    try await eventually { try await ids(database) == ["t1"] }
                }
                fixture.venue.answer("/api/v1/trade", BitMEXWords.trades([("t1", 1), ("t2", 2), ("t3", 3)]))
                try await serving(fixture.ingestor(database: database)) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "trade:XBTUSD")
                    line.send(BitMEXWords.trade("t4", at: 4))
                    try await eventually { try await ids(database) == ["t1", "t2", "t3", "t4"] }
                }
                let asked = try #require(fixture.venue.asked.first { $0.hasPrefix("/api/v1/trade?") })
                #expect(asked.contains("symbol=XBTUSD"))
                #expect(asked.contains("2026-01-01T00%3A00%3A01.000Z"))
            }
            let rows = try await database.recentTrades(of: id, limit: 10)
            #expect(rows.map(\.isBackfill) == [false, true, true, false])
        }
    }

    @Test("stores nothing behind a hole, so that a killed process leaves none")
    func killedWhileFetching() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                try await serving(fixture.ingestor(database: database)) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "trade:XBTUSD")
                    line.send(BitMEXWords.trade("t1", at: 1))
                    try await eventually { try await ids(database) == ["t1"] }
                }
                // Missed trades cannot be had now: what follows is published, and waits to be stored.
                fixture.venue.answer("/api/v1/trade", "busy", status: 503)
                try await fixture.reading(["trade."]) { bus in
                    try await running(fixture.ingestor(database: database)) {
                        let line = try await fixture.venue.connection()
                        try await line.wait(for: "trade:XBTUSD")
                        try await eventually {
                            fixture.venue.asked.contains { $0.hasPrefix("/api/v1/trade?") }
                        }
                        line.send(BitMEXWords.trade("t3", at: 3))
                        #expect(try await bus.trade() == "t3")
                    }
                }
                #expect(try await ids(database) == ["t1"])
                fixture.venue.answer("/api/v1/trade", BitMEXWords.trades([("t1", 1), ("t2", 2), ("t3", 3)]))
                try await serving(fixture.ingestor(database: database)) {
                    try await eventually { try await ids(database) == ["t1", "t2", "t3"] }
                }
            }
        }
    }

    @Test("keeps trades while PostgreSQL is away, and writes them when it is back")
    func away() async throws {
        let configuration = try await TestDatabase.market()
        let admin = configuration.database("postgres")
        // Asked while it still answers.
        let name = try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.first(CurrentDatabase()) ?? ""
        }
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            let logger = TestDatabase.logger
            try await IngestionFixture.run { fixture in
                let publisher = try fixture.publisher("feed-ingestor")
                let queue = WriteQueue(maximumTrades: 100)
                let writer = TradeWriter(
                    database: database, queue: queue, publisher: publisher, configuration: writing,
                    clock: { .zero },
                    logger: logger, reports: TradeWriter.Reports(marks: { _, _ in }, holes: { _ in }))
                try await allowConnections(false, name, admin)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await writer.run() }
                    _ = queue.offer([trade("t1", 1), trade("t2", 2)])
                    try await eventually { database.statistics.connectFailures > 0 }
                    _ = queue.offer([trade("t3", 3)])
                    try await allowConnections(true, name, admin)
                    try await eventually { (try? await ids(database)) == ["t1", "t2", "t3"] }
                    queue.finish()
                    try await group.waitForAll()
                }
                #expect(await writer.storedCount(of: .bitmex) == 3)
            }
        }
    }

    @Test("stores no trades while the disk is nearly full, says so, and stores them when there is room again")
    func nearlyFull() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                let publisher = try fixture.publisher("feed-ingestor")
                let queue = WriteQueue(maximumTrades: 100)
                let free = Mutex(UInt64(99))
                var writing = self.writing
                writing.room = DiskRoom(least: 100) { free.withLock { $0 } }
                let health = HealthRegistry().component("store")
                let writer = TradeWriter(
                    database: database, queue: queue, publisher: publisher, configuration: writing,
                    clock: { .zero }, logger: TestDatabase.logger, health: health,
                    reports: TradeWriter.Reports(marks: { _, _ in }, holes: { _ in }))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await writer.run() }
                    _ = queue.offer([trade("t1", 1)])
                    try await eventually { health.readiness.reason.contains("the disk is nearly full") }
                    #expect(try await ids(database) == [])
                    free.withLock { $0 = 125 }
                    try await eventually { (try? await ids(database)) == ["t1"] }
                    #expect(health.readiness.isReady)
                    queue.finish()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("reports after which trade some were refused, and takes them when they come again")
    func holes() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                let publisher = try fixture.publisher("feed-ingestor")
                let queue = WriteQueue(maximumTrades: 2)
                let (holes, hole) = AsyncStream.makeStream(of: [TradeHole].self)
                let writer = TradeWriter(
                    database: database, queue: queue, publisher: publisher, configuration: writing,
                    clock: { .zero },
                    logger: TestDatabase.logger,
                    reports: TradeWriter.Reports(marks: { _, _ in }, holes: { hole.yield($0) }))
                #expect(queue.offer([trade("t1", 1), trade("t2", 2), trade("t3", 3)]) == 1)
                #expect(queue.offer([trade("t4", 4)]) == 1)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await writer.run() }
                    var iterator = holes.makeAsyncIterator()
                    #expect(await iterator.next() == [TradeHole(instrument: id, after: trade("t2", 2).mark)])
                    queue.resume(id)
                    #expect(queue.offer([trade("t3", 3), trade("t4", 4)]) == 0)
                    queue.finish()
                    try await group.waitForAll()
                }
                #expect(try await ids(database) == ["t1", "t2", "t3", "t4"])
            }
        }
    }

    @Test("writes a hole down before the trades behind it, and has whoever follows the tape read it again")
    func recordedHole() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                let publisher = try fixture.publisher("feed-ingestor")
                let queue = WriteQueue(maximumTrades: 100)
                let writer = TradeWriter(
                    database: database, queue: queue, publisher: publisher, configuration: writing,
                    clock: { .zero }, logger: TestDatabase.logger,
                    reports: TradeWriter.Reports(marks: { _, _ in }, holes: { _ in }))
                _ = queue.offer([trade("t1", 1)])
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await writer.run() }
                    try await eventually { (try? await ids(database)) == ["t1"] }
                    let hole = TradeHole(instrument: id, after: trade("t1", 1).mark, until: nil)
                    queue.offer(hole)
                    queue.offer(TradeHole(instrument: id, after: nil))
                    _ = queue.offer([trade("t9", 9)])
                    queue.finish()
                    try await group.waitForAll()
                }
                let holes = try await database.withSession { try $0.holes(of: id, endingAfter: .zero) }
                let (after, until) = (trade("t1", 1).trade.venueTime, trade("t9", 9).trade.venueTime)
                #expect(holes == [StoredHole(after: after, until: until)])
            }
        }
    }

    @Test("does not let one trade that PostgreSQL refuses hold up the others")
    func poison() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                let queue = WriteQueue(maximumTrades: 100)
                let writer = TradeWriter(
                    database: database, queue: queue, publisher: try fixture.publisher("feed-ingestor"),
                    configuration: writing, clock: { .zero }, logger: TestDatabase.logger,
                    reports: TradeWriter.Reports(marks: { _, _ in }, holes: { _ in }))
                // The table refuses an empty id.
                _ = queue.offer((1...9).map { trade($0 == 4 ? "" : "t\($0)", Int64($0)) })
                queue.finish()
                await writer.run()
                #expect(try await ids(database) == ["t1", "t2", "t3", "t5", "t6", "t7", "t8", "t9"])
            }
        }
    }

    @Test("stores what the venue says of an instrument over what it had to guess")
    func instruments() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                fixture.venue.answer(
                    "/api/v1/instrument/active",
                    """
                    [{"symbol":"XBTUSD","typ":"FFWCSX","underlying":"XBT","quoteCurrency":"USD","tickSize":0.5,\
                    "lotSize":100,"multiplier":-100000000,"settlCurrency":"XBt","isInverse":true}]
                    """)
                try await running(fixture.ingestor(database: database)) {
                    try await eventually { try await database.instrument(id)?.kind == .perpetual }
                }
            }
        }
    }

    private var writing: FeedIngestionConfiguration {
        var configuration = FeedIngestionConfiguration(venues: [VenueConfiguration(BitMEX.description)])
        configuration.batchDelay = .zero
        return configuration
    }

    private func trade(_ id: String, _ seconds: Int64) -> QueuedTrade {
        QueuedTrade(instrument: self.id, trade: .sample(id, at: seconds))
    }

    private func ids(_ database: Database) async throws -> [String] {
        try await database.recentTrades(of: id, limit: 100).map(\.id).reversed()
    }

    private func allowConnections(
        _ isAllowed: Bool, _ name: String, _ admin: StoreConfiguration
    ) async throws {
        try await Database.use(admin, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.script("ALTER DATABASE \(name) ALLOW_CONNECTIONS \(isAllowed)")
                if !isAllowed {
                    try session.script(
                        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'"
                    )
                }
            }
        }
    }
}

/// The database of the connection.
private struct CurrentDatabase: Statement {
    static let sql = "SELECT current_database()::text"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

extension BusReader {
    /// The id of the next trade.
    fileprivate mutating func trade() async throws -> String {
        try await first { event in
            if case .trade(_, let trade) = event { return trade.id }
            return nil
        }
    }

    /// The id of the next trade that is said to be stored.
    fileprivate mutating func stored() async throws -> String {
        try await first { event in
            if case .tradesStored(_, let stored) = event { return stored.lastTradeID }
            return nil
        }
    }
}
