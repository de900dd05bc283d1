import Bus
import Instruments
import MarketData
import MarketState
import MarketStore
import Operations
import Store
import Support
import Synchronization
import Testing
import Wire

@testable import BookBuilding

@Suite("Candles and tickers over bus and PostgreSQL", .serialized, .timeLimit(.minutes(10)))
struct CandleTests {
    private let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    private func fixture(_ body: (BuilderFixture, Database, inout TapeFeed) async throws -> Void) async throws
    {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await BuilderFixture.run { fixture in
                let publisher = try fixture.publisher("feed-ingestor")
                var feed = try TapeFeed(id, publisher, database, seed: 7)
                try await feed.describe()
                try await running([publisher]) {
                    try await publisher.waitForBroker()
                    try await body(fixture, database, &feed)
                }
            }
        }
    }

    @Test("stores candles that equal those of PostgreSQL and those of the trades one by one")
    func candles() async throws {
        try await fixture { fixture, database, feed in
            // Half before it starts, half while it runs.
            for _ in 0..<10 {
                feed.say(40)
                try await feed.store()
            }
            try await running(fixture.storing(database)) {
                try await fixture.follows(&feed)
                for _ in 0..<20 {
                    feed.say(30)
                    try await feed.store()
                }
                try await feed.close()
                try await feed.candlesAreRight()
            }
        }
    }

    @Test("meets what is stored when it starts, before any trade is heard")
    func start() async throws {
        try await fixture { fixture, database, feed in
            for _ in 0..<10 {
                feed.say(40)
                try await feed.store()
            }
            try await feed.close()
            try await running(fixture.storing(database)) {
                try await eventually {
                    let said = try await fixture.retained(["ticker.day."])
                    for case .dayTicker(id, let ticker) in said {
                        let expected = try await feed.statistics(of: ticker)
                        return expected.map { UInt64($0.tradeCount) == ticker.tradeCount } ?? false
                    }
                    return false
                }
                try await feed.candlesAreRight()
            }
        }
    }

    @Test("has every candle after it was killed in the middle, and started again")
    func crash() async throws {
        try await fixture { fixture, database, feed in
            for _ in 0..<3 {
                try await running(fixture.storing(database)) {
                    for _ in 0..<10 {
                        feed.say(30)
                        try await feed.store()
                    }
                    feed.say(5)
                }
                try await feed.store()
                feed.say(20)
                try await feed.store()
            }
            try await running(fixture.storing(database)) {
                try await fixture.follows(&feed)
                try await feed.close()
                try await feed.candlesAreRight()
            }
        }
    }

    @Test("has trades in its candles that were lost on the way")
    func gap() async throws {
        try await fixture { fixture, database, feed in
            try await running(fixture.storing(database)) {
                try await fixture.follows(&feed)
                for round in 0..<12 {
                    feed.say(20, isLost: round % 4 == 2)
                    try await feed.store()
                }
                try await feed.close()
                try await feed.candlesAreRight()
            }
        }
    }

    @Test("says a ticker that equals the stored trades of its 24 hours, also after it was started again")
    func ticker() async throws {
        try await fixture { fixture, database, feed in
            for _ in 0..<30 {
                feed.say(40, step: 200_000_000_000)
                try await feed.store()
            }
            for _ in 0..<2 {
                try await running(fixture.storing(database)) {
                    for _ in 0..<5 {
                        feed.say(10)
                        try await feed.store()
                    }
                    try await eventually {
                        for case .dayTicker(id, let ticker) in try await fixture.retained(["ticker.day."]) {
                            guard let expected = try await feed.statistics(of: ticker) else { continue }
                            if ticker.tradeCount == UInt64(expected.tradeCount) {
                                try check(ticker, expected)
                                return !ticker.isIncomplete
                            }
                        }
                        return false
                    }
                }
            }
        }
    }

    private func check(_ ticker: Bitpal_V1_DayTicker, _ expected: SpanStatistics) throws {
        func text(_ price: Int64) -> String {
            DecimalNumber(units: price, scale: Scale(2) ?? .zero).normalized.description
        }
        let said = [text(ticker.highPrice), text(ticker.lowPrice), text(ticker.lastPrice)]
        let wanted = [expected.high, expected.low, expected.last].map(\.description)
        #expect(said == wanted)
        let volume = try DecimalNumber(parsing: ticker.baseVolume).normalized.description
        #expect(volume == expected.volume.description)
        let quote = try DecimalNumber(parsing: ticker.quoteVolume).normalized.description
        #expect(quote == expected.notional.description)
    }

    @Test("stores no candles while the disk is nearly full, and every one when there is room again")
    func nearlyFull() async throws {
        try await fixture { fixture, database, feed in
            let disk = Mutex((free: UInt64(99), looks: 0))
            let room = DiskRoom(least: 100) {
                disk.withLock {
                    $0.looks += 1
                    return $0.free
                }
            }
            try await running(fixture.storing(database, room: room)) {
                try await fixture.follows(&feed)
                feed.say(200)
                try await feed.store()
                try await feed.close()
                // The first that is written is looked for again and again.
                try await eventually { disk.withLock { $0.looks } > 2 }
                let rows = try await database.candles(
                    of: id, .minute, from: .zero, to: .init(nanoseconds: .max), limit: .max)
                #expect(rows.isEmpty)
                disk.withLock { $0.free = 125 }
                try await feed.candlesAreRight()
            }
        }
    }

    @Test("moves to another instance when its owner dies, and no candle is wrong or lost")
    func takeover() async throws {
        try await fixture { fixture, database, feed in
            try await running(fixture.storing(database, instance: "one")) {
                try await running(fixture.storing(database, instance: "two")) {
                    try await eventually {
                        let leases = try await database.withSession { try $0.leases(of: "book-builder") }
                        let owners = Set(leases.map(\.owner))
                        return leases.count == 256 && owners.count == 2 && !owners.contains(nil)
                    }
                    for _ in 0..<10 {
                        feed.say(30)
                        try await feed.store()
                    }
                }
                // "two" is killed: its leases run out.
                for _ in 0..<10 {
                    feed.say(30)
                    try await feed.store()
                }
                try await feed.close()
                try await feed.candlesAreRight()
            }
        }
    }
}

extension BuilderFixture {
    /// Waits until a tape was read: only then is a ticker told.
    ///
    /// Trades are not retained: what was said before it listened, nobody tells it. So trades are said until
    /// it follows.
    fileprivate func follows(_ feed: inout TapeFeed) async throws {
        try await eventually {
            feed.say(1)
            try await feed.store()
            return try await !retained(["ticker.day."]).isEmpty
        }
    }
}
