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

@Suite("Book builder over the bus", .timeLimit(.minutes(10)))
struct BookBuilderTests {
    private let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    @Test("tells the best prices after every change, and the state")
    func follows() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, publisher)
            try await fixture.reading(["book.top."]) { tops in
                try await running([publisher] + fixture.builder(clock: TestClock().now)) {
                    try await publisher.waitForBroker()
                    try feed.image("bids 100.1×2 100.0×5 | asks 100.2×1")
                    try await tops.top("live 100.1×2 100.2×1")
                    try feed.change("bids 100.1×0")
                    try await tops.top("live 100.0×5 100.2×1")
                    feed.declare(.suspect, .crossed)
                    try await tops.top("suspect 100.0×5 100.2×1")
                    feed.declare(.live, .verified)
                    try await tops.top("live 100.0×5 100.2×1")
                }
            }
        }
    }

    @Test("publishes the whole book under its own name, at the producer's position")
    func wholeBook() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor", epoch: 7)
            let feed = try TestFeed(id, publisher)
            try await fixture.reading(["book.snapshot."]) { books in
                try await running([publisher] + fixture.builder(clock: TestClock().now)) {
                    try await publisher.waitForBroker()
                    try feed.image("bids 100×2 99×5 | asks 101×1")
                    let snapshot = try await books.first { producer, event -> BookSnapshot? in
                        guard producer.hasPrefix("book-builder"), case .bookSnapshot(_, let snapshot) = event
                        else {
                            return nil
                        }
                        return snapshot
                    }
                    #expect(snapshot.text == "live seq 1 | bids 100×2 99×5 | asks 101×1")
                    #expect(
                        snapshot.continues == StreamPosition(producer: "feed-ingestor", epoch: 7, sequence: 1)
                    )
                }
            }
        }
    }

    @Test("has the books that were told before it came, also those that another one told")
    func lateJoiner() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, publisher)
            try await fixture.reading(["book."]) { books in
                try await running([publisher]) {
                    try await publisher.waitForBroker()
                    try feed.image("bids 100×2 | asks 101×1")
                    try feed.change("bids 100×7")
                    try await books.delta()
                    let health = HealthRegistry()
                    try await running(fixture.builder(health: health, clock: TestClock().now)) {
                        try await books.top("live 100×7 101×1")
                        // What the next one begins with is the first one's word.
                        _ = try await books.first { producer, event -> Bool? in
                            guard producer.hasPrefix("book-builder"), case .bookSnapshot = event else {
                                return nil
                            }
                            return true
                        }
                        try await eventually { health.report.isReady }
                    }
                    try feed.change("bids 100×8")
                    try await books.delta()
                    try await running(fixture.builder(clock: TestClock().now)) {
                        try await books.top("live 100×8 101×1")
                    }
                }
            }
        }
    }

    @Test("tells the best levels of a book that changes, and keeps them at the broker")
    func depth() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, publisher)
            try await running([publisher] + fixture.builder(clock: TestClock().now)) {
                try await publisher.waitForBroker()
                let bids = (1...30).map { "\(200 - $0)×1" }.joined(separator: " ")
                try feed.image("bids \(bids) | asks 200×1")
                try feed.change("bids 199×7")
                try await eventually {
                    for case .bookDepth(id, let depth) in try await fixture.retained(["book.depth."]) {
                        if depth.bidSizes.first != 7 { continue }
                        return depth.bidPrices == (1...25).map { Int64(200 - $0) } && depth.bidCount == 30
                            && depth.askPrices == [200] && depth.state == .live
                    }
                    return false
                }
            }
        }
    }

    @Test("shows no book after a loss until the feed has told it whole")
    func recovery() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, publisher)
            try await fixture.reading(["book.top."]) { tops in
                try await running([publisher] + fixture.builder(clock: TestClock().now)) {
                    try await publisher.waitForBroker()
                    try feed.image("bids 100×2 | asks 101×1")
                    try await tops.top("live 100×2 101×1")
                    try feed.lose("bids 100×3")
                    try feed.change("asks 101×5")
                    try await tops.top("syncing")
                    try feed.image("bids 100×3 | asks 101×5")
                    try await tops.top("live 100×3 101×5")
                }
            }
        }
    }

    @Test("shows no book when only a heartbeat tells that something was lost")
    func lostTail() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, publisher)
            try await fixture.reading(["book.top."]) { tops in
                try await running([publisher] + fixture.builder(clock: TestClock().now)) {
                    try await publisher.waitForBroker()
                    try feed.image("bids 100×2 | asks 101×1")
                    try await tops.top("live 100×2 101×1")
                    feed.sayTooMuch()
                    try await tops.top("syncing")
                }
            }
        }
    }

    @Test("is stale when the feed falls silent, and live when it is back")
    func silence() async throws {
        try await BuilderFixture.run { fixture in
            let first = try fixture.publisher("feed-ingestor", epoch: 5)
            try await fixture.reading(["book.top."]) { tops in
                try await running(fixture.builder(clock: TestClock().now)) {
                    try await running([first]) {
                        try await first.waitForBroker()
                        try TestFeed(id, first).image("bids 100×2 | asks 101×1")
                        try await tops.top("live 100×2 101×1")
                    }
                    try await tops.top("stale 100×2 101×1")
                    let second = try fixture.publisher("feed-ingestor", epoch: 6)
                    try await running([second]) {
                        try await second.waitForBroker()
                        try TestFeed(id, second).image("bids 100×3 | asks 101×1")
                        try await tops.top("live 100×3 101×1")
                    }
                }
            }
        }
    }

    @Test("applies and tells everything that it received before it stops")
    func drains() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, publisher)
            try await fixture.reading(["book.top."]) { tops in
                try await running([publisher]) {
                    try await publisher.waitForBroker()
                    try await serving(fixture.builder(clock: TestClock().now)) {
                        try feed.image("bids 100×1 | asks 200×1")
                        try await tops.top("live 100×1 200×1")
                        for price in 101...199 { try feed.change("bids \(price)×1") }
                        // One of them was received; how many more is up to the machine.
                        try await tops.top("live 101×1 200×1")
                    }
                    // Its clock stands still: only the end makes it tell the whole book again.
                    try await eventually {
                        var top: UInt64?
                        var whole: UInt64?
                        for event in try await fixture.retained(["book.top.", "book.snapshot."]) {
                            if case .bookTop(_, let last) = event { top = last.at?.sequence }
                            if case .bookSnapshot(_, let last) = event { whole = last.continues?.sequence }
                        }
                        return top != nil && top == whole
                    }
                }
            }
        }
    }

    @Test("counts what is not what its topic says, and goes on")
    func malformed() async throws {
        try await BuilderFixture.run { fixture in
            let publisher = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, publisher)
            let other = InstrumentID(venue: .kraken, symbol: "ETH/USD")
            let stray = try publisher.topic(Topic.bookDelta(other))
            try await fixture.reading(["book.top.", "service.status."]) { reader in
                try await running([publisher] + fixture.builder(clock: TestClock().now)) {
                    try await publisher.waitForBroker()
                    var batch = OutboundBatch()
                    batch.append([0xFF, 0x01, 0x02], to: stray)
                    batch.append(.bookDelta(id, try BookText("bids 1×1").delta()), to: stray)
                    batch.append(.trade(other, .sample), to: stray)
                    publisher.offer(&batch)
                    try feed.image("bids 100×2 | asks 101×1")
                    try await reader.top("live 100×2 101×1")
                    _ = try await reader.first { _, event -> Bool? in
                        guard case .serviceStatus(let status) = event else { return nil }
                        return (status.figures["malformed"] ?? 0) >= 2 ? true : nil
                    }
                }
            }
        }
    }

    @Test("stores the last book of each minute")
    func stores() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            let instrument = Instrument(
                id: id, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
                priceScale: .zero,
                sizeScale: .zero)
            _ = try await database.store([instrument], at: .zero)
            try await BuilderFixture.run { fixture in
                let publisher = try fixture.publisher("feed-ingestor")
                let feed = try TestFeed(id, publisher)
                try await fixture.reading(["book.top."]) { tops in
                    try await running([publisher]) {
                        try await publisher.waitForBroker()
                        try await serving(fixture.builder(database: database, clock: TestClock().now)) {
                            try feed.image("bids 100×2 | asks 101×1", at: 10)
                            try await tops.top("live 100×2 101×1")
                            try feed.change("bids 100×3", at: 59)
                            try feed.change("bids 100×4", at: 61)
                            try await tops.top("live 100×4 101×1")
                        }
                    }
                }
            }
            let last = try await database.bookSnapshot(of: id)
            #expect(last?.text == "live seq 3 | bids 100×4 | asks 101×1")
            let before = try await database.bookSnapshot(of: id, at: Timestamp(nanoseconds: 59_999_999_999))
            #expect(before?.text == "live seq 2 | bids 100×3 | asks 101×1")
        }
    }
}

extension Trade {
    /// One unit at 100.
    fileprivate static let sample = Trade(
        id: "t1", side: .buy, price: Price(100), size: Quantity(1), priceScale: .zero, sizeScale: .zero,
        venueTime: .zero, receivedTime: .zero)
}
