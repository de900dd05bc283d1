import Instruments
import MarketState
import MarketStore
import Store
import Support
import Testing

@Suite("Stretches of stored candles", .timeLimit(.minutes(10)))
struct CandleRunsTests {
    @Test("are cut where a candle is missing or over and incomplete")
    func runs() async throws {
        let (database, _) = try await Market.database()
        let minute = 60 * Market.second
        func start(_ number: Int64) -> Int64 { Market.midnight + number * minute }
        var batch = CandleBatch()
        for number in [0, 1, 2, 4, 6] as [Int64] {
            let flags: CandleFlags = number == 1 ? [.closed, .incomplete] : [.closed, .fromVenue]
            batch.append(Market.candle(.minute, at: start(number), flags: flags), of: Market.bitcoin)
        }
        #expect(try await database.candleEnds(of: Market.bitcoin, .minute) == nil)
        #expect(try await database.fill(batch).written == 5)
        let runs = try await database.candleRuns(
            of: Market.bitcoin, .minute, from: Market.time(start(0)), to: Market.time(start(6)))
        func run(_ from: Int64, _ to: Int64) -> CandleRun {
            CandleRun(from: Market.time(start(from)), to: Market.time(start(to)))
        }
        #expect(runs == [run(0, 1), run(2, 3), run(4, 5)])
        let ends = try #require(try await database.candleEnds(of: Market.bitcoin, .minute))
        #expect(ends.oldest == Market.time(start(0)) && ends.newest == Market.time(start(6)))
        #expect(try await database.candleEnds(of: Market.bitcoin, .hour) == nil)
        await database.close()
    }

    @Test("the oldest minute made of trades is told, whatever the venue gave of before")
    func made() async throws {
        let (database, _) = try await Market.database()
        func start(_ number: Int64) -> Int64 { Market.midnight + number * 60 * Market.second }
        var batch = CandleBatch()
        for number in [0, 1, 2, 3] as [Int64] {
            let flags: CandleFlags = number < 2 ? [.closed, .fromVenue] : [.closed]
            batch.append(Market.candle(.minute, at: start(number), flags: flags), of: Market.bitcoin)
        }
        #expect(try await database.withSession { try $0.firstMadeMinute(of: Market.bitcoin) } == nil)
        _ = try await database.fill(batch)
        let opened = Market.candle(.minute, at: start(2)).openTime
        #expect(try await database.withSession { try $0.firstMadeMinute(of: Market.bitcoin) } == opened)
        await database.close()
    }
}
