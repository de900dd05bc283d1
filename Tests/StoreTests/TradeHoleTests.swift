import Instruments
import MarketState
import MarketStore
import Store
import Support
import Testing

@Suite("Holes of tapes in PostgreSQL", .timeLimit(.minutes(3)))
struct TradeHoleTests {
    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: Market.midnight + seconds * 1_000_000_000)
    }

    private func holes(_ database: Database, endingAfter seconds: Int64 = 0) async throws -> [StoredHole] {
        try await database.withSession { try $0.holes(of: Market.bitcoin, endingAfter: Self.time(seconds)) }
    }

    @Test("a hole without an end ends with the next trade that is stored")
    func openEnd() async throws {
        let (database, _) = try await Market.database()
        let hole = StoredHole(after: Self.time(10), until: nil)
        _ = try await database.insert(Market.batch([Market.trade(1, at: Self.time(10).nanoseconds)]))
        try await database.record(hole, of: Market.bitcoin)
        #expect(try await holes(database) == [hole])
        let later = [30, 20].map { Market.trade(Int($0), at: Self.time($0).nanoseconds) }
        _ = try await database.insert(Market.batch(later))
        #expect(try await holes(database) == [StoredHole(after: Self.time(10), until: Self.time(20))])
        await database.close()
    }

    @Test("those of other instruments and those that are over are left out; the rest comes by time")
    func choice() async throws {
        let (database, _) = try await Market.database()
        let known = [(50, 60), (10, 20), (30, 40)].map {
            StoredHole(after: Self.time($0.0), until: Self.time($0.1))
        }
        for hole in known { try await database.record(hole, of: Market.bitcoin) }
        try await database.record(known[0], of: Market.perpetual)
        #expect(try await holes(database, endingAfter: 40) == [known[2], known[0]])
        await database.close()
    }

    @Test("one that is recorded again reaches as far as either said, and never back")
    func again() async throws {
        let (database, _) = try await Market.database()
        for end in [Int64?(20), 15, nil, 5] {
            let hole = StoredHole(after: Self.time(10), until: end.map(Self.time))
            try await database.record(hole, of: Market.bitcoin)
        }
        #expect(try await holes(database) == [StoredHole(after: Self.time(10), until: Self.time(20))])
        await database.close()
    }

    @Test("what has trades or candles is listed as a tape, and nothing else")
    func tapes() async throws {
        let (database, _) = try await Market.database()
        #expect(try await database.tapes().isEmpty)
        _ = try await database.insert(Market.batch([Market.trade(1)]))
        #expect(try await database.tapes() == [Market.bitcoin])
        let candle = Market.candle(.minute, at: Market.midnight)
        _ = try await database.fill(Market.batch([candle], of: Market.perpetual))
        #expect(try await database.tapes() == [Market.perpetual, Market.bitcoin])
        await database.close()
    }
}
