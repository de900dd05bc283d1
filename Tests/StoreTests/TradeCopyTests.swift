import Instruments
import MarketData
import Store
import Support
import Testing

@testable import MarketStore

private struct Tape: Statement {
    static let sql = """
        SELECT ARRAY[venue, symbol, trade_id, is_aggregate::text, side, price::text, size::text,
            venue_time_unix_nanos::text, received_time_unix_nanos::text, is_backfill::text]
        FROM market.trade_exact ORDER BY arrival
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}

@Suite("Large batches of trades", .timeLimit(.minutes(10)))
struct TradeCopyTests {
    /// So many trades from a number on, of two instruments by turns, most at one and the same venue time.
    private static func batch(_ numbers: Range<Int>) -> TradeBatch {
        var batch = TradeBatch()
        for number in numbers {
            let trade = Market.trade(
                number, at: Market.midnight + Int64(number % 5 == 0 ? number : 0),
                isAggregate: number % 3 == 0)
            batch.append(trade, of: number % 4 == 0 ? Market.perpetual : Market.bitcoin)
        }
        return batch
    }

    @Test("are stored as small ones are, field by field and in the same order")
    func equal() async throws {
        var tapes: [[[String]]] = []
        for isCopied in [true, false] {
            let (database, _) = try await Market.database()
            for start in [0, 700] {
                let batch = Self.batch(start..<start + 700)
                #expect(batch.isLikelyNew)
                let stored = try await database.transaction { session in
                    isCopied ? try session.copy(batch) : try session.insert(batch)
                }
                #expect(stored.map(\.inserted) == [175, 525] && stored.map(\.offered) == [175, 525])
            }
            tapes.append(try await database.rows(Tape()))
            await database.close()
        }
        #expect(tapes[0].count == 1_400)
        #expect(tapes[0] == tapes[1])
    }

    @Test("are inserted where one of them is stored already, or twice in the batch")
    func overlap() async throws {
        let (database, _) = try await Market.database()
        #expect(try await database.insert(Self.batch(0..<400)).map(\.inserted).reduce(0, +) == 400)
        #expect(try await database.insert(Self.batch(300..<700)).map(\.inserted).reduce(0, +) == 300)
        #expect(try await database.insert(Self.batch(300..<700)).map(\.inserted).reduce(0, +) == 0)
        var twice = Self.batch(700..<1_100)
        twice.append(Market.trade(701), of: Market.bitcoin)
        #expect(try await database.insert(twice).map(\.inserted).reduce(0, +) == 400)
        let ids = try await database.rows(Tape()).map { $0[2] }
        #expect(ids == (0..<1_100).map { "\($0)" })
        await database.close()
    }

    @Test("of several writers that overlap are stored once each")
    func concurrent() async throws {
        let (database, _) = try await Market.database(connections: 4)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var inserted = 0
                    for part in 0..<5 {
                        let start = (part + writer) * 250
                        let stored = try await database.insert(Self.batch(start..<start + 500))
                        inserted += stored.map(\.inserted).reduce(0, +)
                    }
                    return inserted
                }
            }
            return try await group.reduce(0, +)
        }
        // The last writer's last batch ends at (4 + 3)·250 + 500.
        #expect(counts == 2_250)
        #expect(try await database.withSession { try $0.tradeCounts() }.map(\.count).reduce(0, +) == 2_250)
        await database.close()
    }

    @Test("name the instruments that were never stored, and nothing is stored then")
    func unknown() async throws {
        let (database, _) = try await Market.database()
        let unknown = InstrumentID(venue: .kraken, symbol: "NO/NE")
        var batch = Self.batch(0..<300)
        batch.append(Market.trade(2), of: unknown)
        let offered = batch
        let error = await storeError { try await database.insert(offered) }
        #expect(error?.bodyError as? MarketStoreError == .unknownInstruments([unknown]))
        #expect(try await database.withSession { try $0.tradeCounts() }.isEmpty)
        await database.close()
    }

    @Test("are inserted, not copied, when they are few or fetched after an interruption")
    func choice() {
        var batch = Self.batch(0..<CopyTrades.minimum - 1)
        #expect(!batch.isLikelyNew)
        batch.append(Market.trade(5_000), of: Market.bitcoin)
        #expect(batch.isLikelyNew)
        var late = Market.trade(5_001)
        late.isBackfill = true
        batch.append(late, of: Market.bitcoin)
        #expect(!batch.isLikelyNew)
    }
}
