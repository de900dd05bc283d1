import Instruments
import MarketData
import MarketStore
import Support
import Testing

@testable import Store

private struct Partitions: Statement {
    static let sql = """
        SELECT coalesce(array_agg(inhrelid::regclass::text ORDER BY inhrelid::regclass::text), '{}')
        FROM pg_inherits WHERE inhparent = 'market.trade'::regclass
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}

private struct Exact: Statement {
    static let sql = """
        SELECT ARRAY[venue, symbol, trade_id, side, price::text, size::text, venue_time::text]
        FROM market.trade_exact ORDER BY arrival
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}

@Suite("Trades in PostgreSQL", .timeLimit(.minutes(10)))
struct TradeStoreTests {
    @Test("a batch comes back as it went in, with both id spaces and both instruments apart")
    func roundTrip() async throws {
        let (database, _) = try await Market.database()
        var batch = Market.batch([Market.trade(1), Market.trade(1, isAggregate: true), Market.trade(2)])
        batch.append(Market.trade(1), of: Market.perpetual)
        let stored = try await database.insert(batch)
        #expect(stored.map(\.instrument) == [Market.bitcoin, Market.perpetual])
        #expect(stored.map(\.inserted) == [3, 1])
        #expect(stored.map(\.lastTradeID) == ["2", "1"])
        let trades = try await database.recentTrades(of: Market.bitcoin, limit: 10)
        #expect(trades == [Market.trade(2), Market.trade(1, isAggregate: true), Market.trade(1)])
        #expect(try await database.recentTrades(of: Market.perpetual, limit: 1).first == Market.trade(1))
        #expect(
            try await database.withSession { try $0.tradeCounts() }.map { "\($0.instrument) \($0.count)" }
                == ["bitmex:XBTUSD 1", "kraken:BTC/USD 3"])
        await database.close()
    }

    @Test("storing again adds nothing and says so; new ones among old ones are counted")
    func idempotent() async throws {
        let (database, _) = try await Market.database()
        let first = try await database.insert(Market.batch((0..<100).map { Market.trade($0) }))
        let second = try await database.insert(Market.batch((50..<150).map { Market.trade($0) }))
        #expect(first.map(\.inserted) == [100])
        #expect(second.map(\.inserted) == [50])
        #expect(second.map(\.offered) == [100])
        let twice = try await database.insert(Market.batch([Market.trade(500), Market.trade(500)]))
        #expect(twice.map(\.inserted) == [1])
        #expect(try await database.withSession { try $0.tradeCounts() }.map(\.count) == [151])
        await database.close()
    }

    @Test("equal venue times keep the order of arrival, over several batches and connections")
    func order() async throws {
        let (database, _) = try await Market.database()
        for start in stride(from: 0, to: 1_000, by: 100) {
            _ = try await database.insert(Market.batch((start..<start + 100).map { Market.trade($0) }))
        }
        let newest = try await database.recentTrades(of: Market.bitcoin, limit: 1_000)
        #expect(newest.map(\.id) == (0..<1_000).reversed().map { "\($0)" })
        let midnight = Timestamp(nanoseconds: Market.midnight)
        let span = try await database.trades(
            of: Market.bitcoin, from: midnight, to: midnight.adding(nanoseconds: 1), limit: 3)
        #expect(span.map(\.id) == ["0", "1", "2"])
        #expect(try await database.recentTrades(of: Market.bitcoin, limit: 5, before: midnight).isEmpty)
        await database.close()
    }

    @Test("days begin at midnight UTC; identity is per day")
    func midnight() async throws {
        let (database, _) = try await Market.database()
        let times = [Market.midnight - 1, Market.midnight, Market.midnight + 86_400_000_000_000 - 1]
        let stored = try await database.insert(Market.batch(times.map { Market.trade(7, at: $0) }))
        #expect(stored.map(\.inserted) == [2])
        #expect(try await database.first(Partitions()) == ["market.trade_20210721", "market.trade_20210722"])
        let trades = try await database.recentTrades(of: Market.bitcoin, limit: 10)
        #expect(trades.map(\.venueTime.nanoseconds) == [Market.midnight, Market.midnight - 1])
        await database.close()
    }

    @Test("the ends of time, 1970 and leap days have partitions, too")
    func farAway() async throws {
        let (database, _) = try await Market.database()
        // 2024-02-29T23:59:59.999999999Z and the nanosecond after it.
        let times: [Int64] = [.min, -1, 0, 1_709_251_199_999_999_999, 1_709_251_200_000_000_000, .max]
        let trades = times.enumerated().map { Market.trade($0.offset, at: $0.element) }
        _ = try await database.insert(Market.batch(trades))
        #expect(
            try await database.first(Partitions())
                == ["16770921", "19691231", "19700101", "20240229", "20240301", "22620411"].map {
                    "market.trade_" + $0
                })
        #expect(try await database.recentTrades(of: Market.bitcoin, limit: 10).count == 5)
        let newest = try await database.first(
            "SELECT trade_id FROM market.trade ORDER BY venue_time_unix_nanos DESC LIMIT 1"
        ) { try $0.text() }
        #expect(newest == "5")
        await database.close()
    }

    @Test("many connections that need the same new days make each partition once")
    func concurrentPartitions() async throws {
        let (database, _) = try await Market.database(connections: 8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    let trades = (0..<20).map { day in
                        Market.trade(
                            writer * 100 + day, at: Market.midnight + Int64(day) * 86_400_000_000_000)
                    }
                    _ = try await database.insert(Market.batch(trades))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.first(Partitions())?.count == 20)
        #expect(try await database.withSession { try $0.tradeCounts() }.map(\.count) == [160])
        await database.close()
    }

    @Test("an instrument that was never stored is named, and nothing of the batch is stored")
    func unknownInstrument() async throws {
        let (database, _) = try await Market.database()
        let unknown = InstrumentID(venue: .kraken, symbol: "NO/NE")
        var batch = Market.batch([Market.trade(1)])
        batch.append(Market.trade(2), of: unknown)
        let offered = batch
        let error = await storeError { try await database.insert(offered) }
        guard case .transaction(let failure) = error, case .body(let body) = failure.body as? StoreError
        else { throw Unexpected() }
        #expect(body as? MarketStoreError == .unknownInstruments([unknown]))
        #expect(error?.bodyError as? MarketStoreError == .unknownInstruments([unknown]))
        #expect(try await database.withSession { try $0.tradeCounts() }.isEmpty)
        await database.close()
    }

    @Test("the newest trade of each instrument of a venue, for filling the gap after a start")
    func lastTrades() async throws {
        let (database, _) = try await Market.database()
        _ = try await database.insert(Market.batch([Market.trade(1), Market.trade(3), Market.trade(2)]))
        #expect(
            try await database.lastTrades(on: .kraken).map { "\($0.instrument) \($0.trade.id)" }
                == ["kraken:BTC/USD 2"])
        #expect(try await database.lastTrades(on: .bitmex).isEmpty)
        await database.close()
    }

    @Test("the view has exact decimals")
    func view() async throws {
        let (database, _) = try await Market.database()
        var extreme = Market.trade(1, at: Market.midnight + 1_999)
        extreme.price = Price(.min)
        extreme.priceScale = .maximum
        extreme.size = Quantity(.max)
        extreme.sizeScale = .zero
        _ = try await database.insert(Market.batch([Market.trade(0), extreme]))
        #expect(
            try await database.rows(Exact()) == [
                ["kraken", "BTC/USD", "0", "buy", "32500.5", "0.00000001", "2021-07-22 00:00:00+00"],
                [
                    "kraken", "BTC/USD", "1", "sell", "-9.223372036854775808", "9223372036854775807",
                    "2021-07-22 00:00:00.000001+00",
                ],
            ])
        await database.close()
    }

    @Test("a writer killed at any point of a batch and repeated leaves neither a hole nor a duplicate")
    func killed() async throws {
        let (database, configuration) = try await Market.database(connections: 1)
        let batches = (0..<6).map { number in
            Market.batch((number * 100..<number * 100 + 100).map { Market.trade($0) })
        }
        for (number, batch) in batches.enumerated() {
            _ = await storeError {
                try await database.transaction { session in
                    let backend = session.backendProcessID
                    if number % 3 == 0 { try terminate(backend, configuration) }
                    _ = try session.insert(batch)
                    if number % 3 == 1 { try terminate(backend, configuration) }
                    _ = try session.tradeCounts()
                    if number % 3 == 2 { try terminate(backend, configuration) }
                }
            }
            #expect(try await database.insert(batch).map(\.inserted) == [100])
        }
        let ids = try await database.recentTrades(of: Market.bitcoin, limit: 1_000).map(\.id)
        #expect(ids == (0..<600).reversed().map { "\($0)" })
        await database.close()
    }
}
