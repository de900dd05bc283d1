import Foundation
import Instruments
import Logging
import MarketState
import MarketStore
import Store
import Support
import Synchronization
import Testing
import Venues
import Web

@testable import OperatorCommands

@Suite("Candles of the database", .timeLimit(.minutes(10)))
struct StoredCandlesTests {
    private static let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")
    /// 2021-07-22T22:00:00Z.
    private static let hour: Int64 = 1_626_991_200_000_000_000
    private static let minute: Int64 = 60_000_000_000

    private static func instrument() throws -> Instrument {
        Instrument(
            id: id, base: Asset(rawValue: "XBT"), quote: Asset(rawValue: "USD"), kind: .perpetual,
            priceScale: try #require(Scale(1)), sizeScale: .zero,
            contractMultiplier: DecimalNumber(units: 1, scale: .zero), isInverse: true)
    }

    private static func time(_ minutes: Int64) -> Timestamp {
        Timestamp(nanoseconds: hour + minutes * minute)
    }

    private static func candle(_ number: Int64, flags: CandleFlags = [.closed]) throws -> CandleRow {
        CandleRow(
            interval: .minute, start: time(number), openTime: time(number), closeTime: time(number),
            open: Price(323_000 + number), high: Price(323_105), low: Price(322_990), close: Price(323_050),
            priceScale: try #require(Scale(1)), sizeScale: .zero, tradeCount: 3,
            volume: Amount(units: 450, places: 1), takerBuyVolume: nil,
            notional: try Amount(parsing: "1453725.0"), flags: flags)
    }

    /// A database with candles of the minutes 0, 1 and 3.
    private static func stored() async throws -> (Database, StoreConfiguration) {
        let configuration = try await TestDatabase.market()
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        try await database.store([instrument()], at: .zero)
        var batch = CandleBatch()
        batch.append(try candle(0), of: id)
        batch.append(try candle(1, flags: [.closed, .amended]), of: id)
        batch.append(try candle(3, flags: [.closed, .incomplete, .fromVenue]), of: id)
        _ = try await database.fill(batch)
        return (database, configuration)
    }

    private static func executable(_ configuration: StoreConfiguration) -> BitpalExecutable {
        BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
    }

    // MARK: - Reading

    @Test("come oldest first, as rows with the keys of a file's and what is to be known of them")
    func rows() async throws {
        let (database, configuration) = try await Self.stored()
        let outcome = try await Self.executable(configuration).run(
            ["candles", "bitmex", "XBTUSD", "--from", "2021-07-22T22:00:00Z", "--to", "1626991440", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // 45 contracts of one dollar each; the prices of an inverse contract say nothing of its value.
        let numbers =
            #""high":"32310.5","low":"32299","close":"32305","volume":"45","quote_volume":"45","trades":3"#
        let head = #"{"venue":"bitmex","symbol":"XBTUSD","interval":"1m","start":"2021-07-22T22:0"#
        #expect(
            outcome.lines == [
                head
                    + #"0:00Z","open":"32300",\#(numbers),"complete":true,"amended":false,"from_venue":false}"#,
                head
                    + #"1:00Z","open":"32300.1",\#(numbers),"complete":true,"amended":true,"from_venue":false}"#,
                head
                    + #"3:00Z","open":"32300.3",\#(numbers),"complete":false,"amended":false,"from_venue":true}"#,
            ])
        await database.close()
    }

    @Test("end with the newest where nobody says when, and a range has its own count")
    func spans() async throws {
        let (database, configuration) = try await Self.stored()
        let tool = Self.executable(configuration)
        let all = try await tool.run(["candles", "bitmex", "XBTUSD", "--json"])
        #expect(all.lines.count == 3)
        let page = try await tool.run(["candles", "bitmex", "XBTUSD"])
        #expect(page.lines.first == "bitmex:XBTUSD  1m")
        #expect(page.lines.last?.hasSuffix("incomplete, of the venue") == true)
        let range = try await tool.run(["candles", "bitmex", "XBTUSD", "--range", "1H", "--json", "--flat"])
        #expect(range.lines.count == 4)
        #expect(
            range.lines[2].contains(
                #""start":"2021-07-22T22:02:00Z","open":"32305","high":"32305","low":"32305","close":"32305","volume":"0","quote_volume":"0","trades":0"#
            ))
        let none = try await tool.run(["candles", "bitmex", "XBTUSD", "--interval", "1h", "--json"])
        #expect(none.status == 0 && none.output.isEmpty)
        await database.close()
    }

    @Test("an unknown instrument ends with 3 and near names, no database with 4")
    func failures() async throws {
        let (database, configuration) = try await Self.stored()
        let unknown = try await Self.executable(configuration).run(["candles", "bitmex", "XBTUSDT"])
        #expect(unknown.status == 3 && unknown.hasOneErrorLine)
        #expect(unknown.errors.contains("did you mean XBTUSD?"))
        let nowhere = BitpalExecutable(environment: [
            "BITPAL_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"
        ])
        let outcome = try await nowhere.run(["candles", "bitmex", "XBTUSD"])
        #expect(outcome.status == 4 && outcome.hasOneErrorLine, "\(outcome.errors)")
        await database.close()
    }

    @Test(
        "exactly one of the two forms is accepted",
        arguments: [
            ["candles"], ["candles", "bitmex"], ["candles", "bitmex", "XBTUSD", "--from-trades", "f"],
            ["candles", "--from-trades", "f", "--flat"], ["candles", "--from-trades", "f", "--backfill"],
            ["candles", "nowhere", "XBTUSD"], ["candles", "bitmex", "XBTUSD", "--backfill"],
            ["candles", "bitmex", "XBTUSD", "--range", "1D", "--interval", "1m"],
            ["candles", "bitmex", "XBTUSD", "--range", "1D", "--from", "2021-07-22"],
            ["candles", "bitmex", "XBTUSD", "--range", "2D"],
            ["candles", "bitmex", "XBTUSD", "--from", "yesterday"],
            ["candles", "bitmex", "XBTUSD", "--from", "2021-07-22", "--to", "2021-07-22"],
            ["candles", "bitmex", "XBTUSD", "--rest-url", "http://127.0.0.1:1"],
            ["candles", "bitmex", "XBTUSD", "--from", "0", "--backfill", "--rest-url", "ftp://x"],
        ])
    func usage(_ arguments: [String]) async throws {
        let outcome = try await BitpalExecutable().run(arguments)
        #expect(outcome.status == 2 && outcome.hasOneErrorLine, "\(outcome.errors)")
    }

    // MARK: - Fetching

    /// A venue that has the minutes 0 to 9 but the fifth; time passes only where somebody waits.
    private final class FakeVenue: Sendable {
        struct State {
            var now: Int64 = 0
            var waits: [Int64] = []
            var urls: [String] = []
            var script: [BackfillEnvironment.Answer] = []
        }

        let state = Mutex(State())

        var environment: BackfillEnvironment {
            BackfillEnvironment(
                now: { StoredCandlesTests.time(9).adding(nanoseconds: 1) },
                uptime: { self.state.withLock { $0.now } },
                pause: { wait in
                    self.state.withLock {
                        $0.now += wait
                        $0.waits.append(wait)
                    }
                },
                fetch: { url throws(WebError) in
                    self.state.withLock { state in
                        state.urls.append(url)
                        return state.script.isEmpty ? Self.page() : state.script.removeFirst()
                    }
                })
        }

        private static func page() -> BackfillEnvironment.Answer {
            let rows = (0..<10).filter { $0 != 5 }.map { number in
                let end = StoredCandlesTests.time(Int64(number) + 1).iso8601(fractionDigits: 3)
                return #"{"timestamp":"\#(end)","symbol":"XBTUSD","open":1,"high":2,"low":1,"close":2,"#
                    + #""trades":\#(number == 6 ? 0 : 1),"volume":7}"#
            }
            return BackfillEnvironment.Answer(
                status: 200, body: Array("[\(rows.joined(separator: ","))]".utf8), retryAfter: nil)
        }
    }

    private static func backfill(
        _ venue: FakeVenue, _ database: Database, _ interval: CandleInterval = .minute
    ) async throws {
        let history = try #require(VenueCandleHistory(venue: .bitmex, restURL: "http://venue"))
        var backfill = try CandleBackfill(
            history, of: instrument(), interval, into: database, environment: venue.environment)
        try await backfill.run(time(0)..<time(20))
    }

    @Test("only what is missing and over is fetched, and nothing again")
    func resumes() async throws {
        let (database, _) = try await Self.stored()
        let venue = FakeVenue()
        try await Self.backfill(venue, database)
        // The minutes 2 and 3, the latter being incomplete, and 4 to 8; the tenth is not over.
        let first = venue.state.withLock { $0.urls }
        #expect(first.count == 1)
        #expect(
            first[0].contains("startTime=2021-07-22T22%3A03%3A00.000Z&endTime=2021-07-22T22%3A09%3A00.000Z"))
        let rows = try await database.candles(
            of: Self.id, .minute, from: Self.time(0), to: Self.time(20), limit: 99)
        #expect(
            rows.reversed().map { $0.start.nanoseconds(since: Self.time(0)) / Self.minute } == [
                0, 1, 2, 3, 4, 6, 7, 8,
            ])
        #expect(rows.filter { $0.flags.contains(.fromVenue) }.count == 6)
        #expect(rows.first { $0.start == Self.time(6) }?.flags.contains(.flat) == true)
        #expect(rows.first { $0.start == Self.time(0) }?.volume == Amount(units: 45))
        #expect(rows.first { $0.start == Self.time(3) }?.flags.contains(.incomplete) == false)
        try await Self.backfill(venue, database)
        // The venue has no fifth minute: it alone is asked for again.
        let second = venue.state.withLock { $0.urls }
        #expect(second.count == 2)
        #expect(
            second[1].contains("startTime=2021-07-22T22%3A06%3A00.000Z&endTime=2021-07-22T22%3A06%3A00.000Z"))
        await database.close()
    }

    @Test("longer candles are made of stored minutes where all of them are there, and not where one lacks")
    func longer() async throws {
        let (database, _) = try await Self.stored()
        try await Self.backfill(FakeVenue(), database)
        let made = try await database.candles(
            of: Self.id, .fiveMinutes, from: Self.time(0), to: Self.time(20), limit: 99)
        // The fifth minute is missing, the tenth is not over.
        #expect(made.map(\.start) == [Self.time(0)])
        let minutes = try await database.candles(
            of: Self.id, .minute, from: Self.time(0), to: Self.time(5), limit: 99)
        #expect(minutes.count == 5)
        #expect(made.first?.tradeCount == minutes.map(\.tradeCount).reduce(0, +))
        #expect(made.first?.flags.contains(.incomplete) == false)
        let longer = try await database.candles(
            of: Self.id, .quarterHour, from: Self.time(0), to: Self.time(20), limit: 99)
        #expect(longer.isEmpty)
        // Later all of them are over, and the fifth minute lacks still.
        let later = try await LongerCandles(id: Self.id, database: database).roll(
            Self.time(0)..<Self.time(20), at: Self.time(20_000))
        #expect(later.values.allSatisfy { $0 == 0 }, "\(later)")
        await database.close()
    }

    @Test("a length that the venue lacks is made of its minutes, whole candles only")
    func lacking() async throws {
        let (database, _) = try await Self.stored()
        var batch = CandleBatch()
        for number in Int64(4)..<15 { batch.append(try Self.candle(number), of: Self.id) }
        batch.append(try Self.candle(2), of: Self.id)
        _ = try await database.fill(batch)
        let venue = FakeVenue()
        try await Self.backfill(venue, database, .quarterHour)
        // The third minute was incomplete: only it was asked for, as a minute.
        #expect(venue.state.withLock { $0.urls.allSatisfy { $0.contains("binSize=1m") } })
        let now = try await LongerCandles(id: Self.id, database: database).roll(
            Self.time(0)..<Self.time(15), at: Self.time(15))
        #expect(now[.quarterHour] == 1)
        let made = try await database.candles(
            of: Self.id, .quarterHour, from: Self.time(0), to: Self.time(20), limit: 99)
        #expect(made.map(\.start) == [Self.time(0)])
        await database.close()
    }

    @Test("waits as long as the venue asks for, and gives up where that is too long or it refuses")
    func patience() async throws {
        let (database, _) = try await Self.stored()
        func answer(_ status: Int, _ body: String = "", retryAfter: Duration? = nil)
            -> BackfillEnvironment.Answer
        {
            BackfillEnvironment.Answer(status: status, body: Array(body.utf8), retryAfter: retryAfter)
        }
        let venue = FakeVenue()
        venue.state.withLock { $0.script = [answer(429, retryAfter: .seconds(7)), answer(503)] }
        try await Self.backfill(venue, database)
        let waits = venue.state.withLock { $0.waits }
        #expect(waits.count == 2 && waits[0] >= 7_000_000_000)

        for (script, status) in [
            ([answer(429, retryAfter: .seconds(3_600))], CommandStatus.unreachable),
            (Array(repeating: answer(500), count: 6), .unreachable),
            ([answer(400, #"{"error":{"message":"no such symbol","name":"X"}}"#)], .failed),
            ([answer(200, "[1]")], .failed),
        ] {
            venue.state.withLock { $0.script = script }
            do {
                try await Self.backfill(venue, database)
                Issue.record("went on after \(script)")
            } catch let failure as CommandFailure {
                #expect(failure.status == status)
            }
            #expect(venue.state.withLock { $0.script.isEmpty })
        }
        await database.close()
    }

    @Test("the venue's pace is kept")
    func pace() async throws {
        let (database, _) = try await Self.stored()
        let venue = FakeVenue()
        venue.state.withLock { $0.script = [] }
        let history = try #require(VenueCandleHistory(venue: .bitmex, restURL: "http://venue"))
        var backfill = try CandleBackfill(
            history, of: Self.instrument(), .minute, into: database, environment: venue.environment)
        // 40 pages of 1,000 minutes before what is stored: 30 at once, then one every two seconds.
        try await backfill.run(Self.time(-40_000)..<Self.time(0))
        let state = venue.state.withLock { $0 }
        #expect(state.urls.count == 40)
        #expect(state.waits == Array(repeating: 2_000_000_000, count: 10))
        await database.close()
    }

    @Test("a length that the venue does not have is refused with those that it has")
    func lengths() async throws {
        let (database, configuration) = try await Self.stored()
        let outcome = try await Self.executable(configuration).run(
            [
                "candles", "bitmex", "XBTUSD", "--interval", "1s", "--from", "2021-07-22", "--backfill",
                "--rest-url", "http://127.0.0.1:1",
            ])
        #expect(outcome.status == 2 && outcome.errors.contains("it has 1m, 5m, 1h, 1d"))
        await database.close()
    }
}
