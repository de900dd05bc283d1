import Instruments
import MarketStore
import Portfolio
import PortfolioStore
import Store
import Support
import Synchronization
import Testing

@testable import PortfolioKeeping

@Suite("Daily candles of what is held", .timeLimit(.minutes(10)))
struct DayBackfillTests {
    private static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    private static let (coin, dollar) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))

    private static func day(_ number: Int64) -> Timestamp {
        Timestamp(nanoseconds: (20_000 + number) * 86_400_000_000_000)
    }

    /// Kraken's answer with a row for each day; the last one is of the day that goes on.
    private static func answer(_ days: ClosedRange<Int64>) -> [UInt8] {
        let rows = days.map { day in
            "[\(Self.day(day).nanoseconds / 1_000_000_000),\"1\",\"9\",\"1\",\"\(day + 2)\",\"2\",\"3\",4]"
        }
        return Array(
            "{\"error\":[],\"result\":{\"XXBTZUSD\":[\(rows.joined(separator: ","))],\"last\":1}}".utf8)
    }

    @Test("are asked of the venue once a day, for the days that are not stored")
    func fetching() async throws {
        let configuration = try await TestDatabase.migrated("portfolio", by: PortfolioSchema.migrate)
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        try await TestTape.prepare(Self.bitcoin, in: database)
        let asked = Mutex<[String]>([])
        let backfill = DayBackfill(
            database: database, root: "http://venue", logger: TestDatabase.logger
        ) { url in
            asked.withLock { $0.append(url) }
            return (200, Self.answer(0...3))
        }
        func fetch(since: Int64, at now: Int64) async throws -> Int {
            try await backfill.fetch(
                [Self.coin: Self.day(since).adding(nanoseconds: 5), Self.dollar: Self.day(0)],
                in: Self.dollar, at: Self.day(now).adding(nanoseconds: 7))
            return asked.withLock { $0.count }
        }
        #expect(try await fetch(since: 1, at: 3) == 1)
        let url = asked.withLock { $0[0] }
        #expect(url.hasPrefix("http://venue/kraken/0/public/OHLC?pair=BTCUSD&interval=1440"))
        let prices = try await database.withSession { session in
            try session.dailyCloses(of: [Self.coin], in: Self.dollar).map { "\($0.point.price)" }
        }
        #expect(Set(prices) == ["3", "4"])
        // The same day and the same span again: nobody is asked. An earlier day, or the next one: once.
        #expect(try await fetch(since: 2, at: 3) == 1)
        #expect(try await fetch(since: 0, at: 3) == 2)
        #expect(try await fetch(since: 0, at: 3) == 2)
        #expect(try await fetch(since: 0, at: 4) == 3)
        await database.close()
    }

    @Test("are asked for again when the venue refuses, and what has no price stays unknown")
    func refusal() async throws {
        let configuration = try await TestDatabase.migrated("portfolio", by: PortfolioSchema.migrate)
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        try await TestTape.prepare(Self.bitcoin, in: database)
        let count = Mutex(0)
        let backfill = DayBackfill(database: database, root: nil, logger: TestDatabase.logger) { _ in
            count.withLock { $0 += 1 }
            return (429, Array("{\"error\":[\"EGeneral:Too many requests\"]}".utf8))
        }
        for _ in 0..<2 {
            try await backfill.fetch([Self.coin: Self.day(0)], in: Self.dollar, at: Self.day(2))
        }
        #expect(count.withLock { $0 } == 2)
        let prices = try await database.withSession { session in
            try session.dailyCloses(of: [Self.coin], in: Self.dollar).count
        }
        #expect(prices == 0)
        await database.close()
    }
}
