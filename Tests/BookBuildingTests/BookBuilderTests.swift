import Bus
import Instruments
import MarketData
import MarketStore
import Operations
import Store
import Support
import Testing
import Wire

@testable import BookBuilding

@Suite("Book builder over the bus", .timeLimit(.minutes(2)))
struct BookBuilderTests {
    private let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    @Test("tells the best prices after every change, and the whole book")
    func follows() async throws {
        try await BuilderBench.run { bench in
            let publisher = try bench.publisher("feed-ingestor")
            let reader = try bench.subscriber(["book.top.", "book.snapshot."])
            let feed = try TestFeed(id, publisher)
            try await running([publisher, reader] + bench.builder(clock: TestClock().now)) {
                try await publisher.waitForBroker()
                var tops = BookReader(reader)
                try feed.image("bids 100.1×2 100.0×5 | asks 100.2×1")
                try await tops.top("live 100.1×2 100.2×1")
                try feed.change("bids 100.1×0")
                #expect(try await tops.top() == "live 100.0×5 100.2×1")
                feed.declare(.suspect, .crossed)
                #expect(try await tops.top() == "suspect 100.0×5 100.2×1")
                feed.declare(.live, .verified)
                #expect(try await tops.top() == "live 100.0×5 100.2×1")
            }
        }
    }

    @Test("publishes the whole book under its own name, at the producer's position")
    func wholeBook() async throws {
        try await BuilderBench.run { bench in
            let publisher = try bench.publisher("feed-ingestor", epoch: 7)
            let reader = try bench.subscriber(["book.snapshot."])
            let feed = try TestFeed(id, publisher)
            try await running([publisher, reader] + bench.builder(clock: TestClock().now)) {
                try await publisher.waitForBroker()
                try feed.image("bids 100×2 99×5 | asks 101×1")
                var wholes = BookReader(reader)
                // The feed's own comes first; the builder's is the same book at the same position.
                for _ in 0..<2 {
                    let snapshot = try await wholes.first { event -> BookSnapshot? in
                        guard case .bookSnapshot(_, let snapshot) = event else { return nil }
                        return snapshot
                    }
                    #expect(snapshot.text == "live seq 1 | bids 100×2 99×5 | asks 101×1")
                    #expect(snapshot.continues == StreamPosition(producer: "feed-ingestor", epoch: 7, sequence: 1))
                }
            }
        }
    }

    @Test("has the books that were told before it came")
    func lateJoiner() async throws {
        try await BuilderBench.run { bench in
            let publisher = try bench.publisher("feed-ingestor")
            let reader = try bench.subscriber(["book."])
            let feed = try TestFeed(id, publisher)
            try await running([publisher, reader]) {
                try await publisher.waitForBroker()
                var books = BookReader(reader)
                try feed.image("bids 100×2 | asks 101×1")
                try feed.change("bids 100×7")
                _ = try await books.first { event -> BookDelta? in
                    if case .bookDelta(_, let delta) = event { return delta }
                    return nil
                }
                let health = HealthRegistry()
                try await running(bench.builder(health: health, clock: TestClock().now)) {
                    try await books.top("live 100×7 101×1")
                }
                // A second one, after the first is gone, starts from what both said.
                try feed.change("bids 100×8")
                try await running(bench.builder(clock: TestClock().now)) {
                    try await books.top("live 100×8 101×1")
                }
            }
        }
    }

    @Test("shows no book after a loss until the broker or the feed has told it whole")
    func recovery() async throws {
        try await BuilderBench.run { bench in
            let publisher = try bench.publisher("feed-ingestor")
            let reader = try bench.subscriber(["book.top."])
            let feed = try TestFeed(id, publisher)
            try await running([publisher, reader] + bench.builder(clock: TestClock().now)) {
                try await publisher.waitForBroker()
                var tops = BookReader(reader)
                try feed.image("bids 100×2 | asks 101×1")
                try await tops.top("live 100×2 101×1")
                try feed.lose("bids 100×3")
                try feed.change("asks 101×5")
                #expect(try await tops.top() == "syncing")
                try feed.image("bids 100×3 | asks 101×5")
                #expect(try await tops.top() == "live 100×3 101×5")
            }
        }
    }

    @Test("is stale when the feed falls silent")
    func silence() async throws {
        try await BuilderBench.run { bench in
            let publisher = try bench.publisher("feed-ingestor")
            let reader = try bench.subscriber(["book.top."])
            let feed = try TestFeed(id, publisher)
            try await running([reader] + bench.builder(clock: TestClock().now)) {
                var tops = BookReader(reader)
                try await running([publisher]) {
                    try await publisher.waitForBroker()
                    try feed.image("bids 100×2 | asks 101×1")
                    try await tops.top("live 100×2 101×1")
                }
                #expect(try await tops.top() == "stale 100×2 101×1")
            }
        }
    }

    @Test("applies and tells everything received before it stops")
    func drains() async throws {
        try await BuilderBench.run { bench in
            let publisher = try bench.publisher("feed-ingestor")
            let reader = try bench.subscriber(["book."])
            let feed = try TestFeed(id, publisher)
            try await running([publisher, reader]) {
                try await publisher.waitForBroker()
                var books = BookReader(reader)
                try await serving(bench.builder(clock: TestClock().now)) {
                    try feed.image("bids 100×1 | asks 200×1")
                    try await books.top("live 100×1 200×1")
                    for price in 101...199 { try feed.change("bids \(price)×1") }
                    // The first of them was received; how many more is up to the machine.
                    try await books.top("live 101×1 200×1")
                }
                // Whatever it had received is in the last whole book, and nothing else is.
                var last = ""
                while true {
                    let next = try await books.first { event -> String? in
                        switch event {
                        case .bookTop(_, let top): return top.at.map { "\($0.sequence)" }
                        case .bookSnapshot(_, let snapshot): return "whole \(snapshot.continues?.sequence ?? 0)"
                        default: return nil
                        }
                    }
                    if next == "whole \(last)" { break }
                    last = next
                }
            }
        }
    }

    @Test("counts what is not what its topic says, and goes on")
    func malformed() async throws {
        try await BuilderBench.run { bench in
            let publisher = try bench.publisher("feed-ingestor")
            let reader = try bench.subscriber(["book.top."])
            let feed = try TestFeed(id, publisher)
            let other = InstrumentID(venue: .kraken, symbol: "ETH/USD")
            let stray = try publisher.topic(Topic.bookDelta(other))
            try await running([publisher, reader] + bench.builder(clock: TestClock().now)) {
                try await publisher.waitForBroker()
                var batch = OutboundBatch()
                batch.append([0xFF, 0x01, 0x02], to: stray)
                batch.append(.bookDelta(id, try BookText("bids 1×1").delta()), to: stray)
                publisher.offer(&batch)
                try feed.image("bids 100×2 | asks 101×1")
                var tops = BookReader(reader)
                try await tops.top("live 100×2 101×1")
            }
        }
    }

    @Test("stores the last book of each minute")
    func stores() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            let instrument = Instrument(
                id: id, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero,
                sizeScale: .zero)
            _ = try await database.execute(UpsertInstruments([instrument], at: .zero))
            try await BuilderBench.run { bench in
                let publisher = try bench.publisher("feed-ingestor")
                let reader = try bench.subscriber(["book.top."])
                let feed = try TestFeed(id, publisher)
                try await running([publisher, reader]) {
                    try await publisher.waitForBroker()
                    try await serving(bench.builder(database: database, clock: TestClock().now)) {
                        var tops = BookReader(reader)
                        try feed.image("bids 100×2 | asks 101×1", at: 10)
                        try feed.change("bids 100×3", at: 59)
                        try feed.change("bids 100×4", at: 61)
                        try await tops.top("live 100×4 101×1")
                    }
                }
            }
            let last = try await database.first(LatestBookSnapshot(id))
            #expect(last?.text == "live seq 3 | bids 100×4 | asks 101×1")
            let before = try await database.first(LatestBookSnapshot(id, at: Timestamp(nanoseconds: 59_999_999_999)))
            #expect(before?.text == "live seq 2 | bids 100×3 | asks 101×1")
        }
    }
}
