import Instruments
import MarketData
import MarketState
import MarketStore
import Support
import Testing

@testable import Store

private struct PartitionNames: Statement {
    static let sql = "SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM market.partition"
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}

private struct ExactCandle: Statement {
    static let sql = """
        SELECT ARRAY[venue, symbol, interval, start::text, open::text, high::text, low::text, close::text,
            volume::text, quote_volume::text, round(vwap, 3)::text, trade_count::text, is_closed::text,
            is_incomplete::text, is_from_venue::text, is_amended::text]
        FROM market.candle_exact ORDER BY venue
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> [String] { try row.textArray() }
}

@Suite("Candles in PostgreSQL", .timeLimit(.minutes(10)))
struct CandleStoreTests {
    @Test("candles of every length come back as they went in, each length in its own partitions")
    func roundTrip() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database)
        // A Monday, so that it begins a week, too: 2021-07-19.
        let monday = Market.midnight - 3 * Market.day
        var candles = CandleInterval.allCases.map { Market.candle($0, at: monday, 40 + $0.seconds) }
        candles[0].volume = try Market.amount("123456789012345678901234567890.123456789")
        candles[0].notional = try Market.amount("98765432109876543210987654321098765432.1")
        candles[1].takerBuyVolume = nil
        candles[1].notional = nil
        candles[1].flags = [.fromVenue, .withoutNotional, .incomplete]
        let stored = try await database.store(Market.batch(candles), under: claims)
        #expect(stored == StoredCandles(offered: 9, written: 9))
        for candle in candles {
            #expect(try await Market.all(candle.interval, in: database) == [candle])
            #expect(try await Market.all(candle.interval, of: Market.perpetual, in: database).isEmpty)
        }
        #expect(
            try await database.first(PartitionNames()) == [
                "candle_15m_20201029", "candle_1d_20191031", "candle_1h_20191031", "candle_1m_20210708",
                "candle_1s_20210719", "candle_1w_20191031", "candle_30m_20201029", "candle_4h_20191031",
                "candle_5m_20201029",
            ])
        await database.close()
    }

    @Test("the same candle changes nothing; a changed one replaces; of two in a batch the last counts")
    func idempotent() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database)
        let first = (0..<100).map { Market.candle(.minute, at: Market.midnight + $0 * 60 * Market.second) }
        #expect(try await database.store(Market.batch(first), under: claims).written == 100)
        #expect(try await database.store(Market.batch(first), under: claims).written == 0)
        var changed = first
        changed[50].flags = [.closed, .amended]
        changed[51].volume = try Market.amount("1.000")
        changed[52].volume = try Market.amount("1.5")
        #expect(try await database.store(Market.batch(changed), under: claims).written == 2)
        var last = changed[50]
        last.high = Price(99)
        let twice = try await database.store(Market.batch([changed[50], last]), under: claims)
        #expect(twice == StoredCandles(offered: 1, written: 1))
        let rows = try await Market.all(.minute, in: database)
        #expect(rows.count == 100)
        #expect(rows.first { $0.start == last.start } == last)
        #expect(try await database.store(CandleBatch(), under: claims).offered == 0)
        await database.close()
    }

    @Test("a writer killed at any point of a batch and repeated leaves neither a hole nor a duplicate")
    func killed() async throws {
        let (database, configuration) = try await Market.database(connections: 1)
        let claims = try await Market.owner(database)
        let minutes = (0..<600).map { number in
            Market.candle(.minute, at: Market.midnight + number * 60 * Market.second, number + 1)
        }
        for number in 0..<6 {
            let batch = Market.batch(minutes[number * 100..<number * 100 + 100])
            _ = await storeError {
                try await database.transaction { session in
                    if number % 3 == 0 { try terminate(session.backendProcessID, configuration) }
                    _ = try session.store(batch, under: claims)
                    if number % 3 == 1 { try terminate(session.backendProcessID, configuration) }
                    if number % 3 == 2 { throw PropertyFailure("the process was killed") }
                }
            }
            // Once after the loss, once because the outcome was unknown.
            for _ in 0..<2 {
                try await eventually { (try? await database.store(batch, under: claims)) != nil }
            }
        }
        #expect(try await Market.all(.minute, in: database) == minutes.reversed())
        await database.close()
    }

    @Test(
        "what cannot be right is refused as a whole: prices, volumes, starts, unknown names, too many spans")
    func refused() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database)
        let good = Market.candle(.minute, at: Market.midnight)
        func broken(_ change: (inout CandleRow) -> Void) -> CandleBatch {
            var candle = Market.candle(.minute, at: Market.midnight + 60 * Market.second)
            change(&candle)
            return Market.batch([good, candle])
        }
        let batches = [
            broken { $0.high = Price(-9) }, broken { $0.low = Price(9) },
            broken { $0.volume = Amount(units: -1, places: 0) },
            broken { $0.takerBuyVolume = Amount(units: 2, places: 0) }, broken { $0.tradeCount = -1 },
            broken { $0.start = Market.time(Market.midnight + 1) },
            broken { $0.openTime = Market.time(.max) },
            // A Sunday.
            Market.batch([good, Market.candle(.week, at: Market.midnight - 4 * Market.day)]),
        ]
        for batch in batches {
            let error = await storeError { try await database.store(batch, under: claims) }
            #expect(error?.sqlState == "23514")
        }
        let unknown = InstrumentID(venue: .kraken, symbol: "NO/NE")
        var named = Market.batch([good])
        named.append(good, of: unknown)
        let error = await storeError { [named] in try await database.store(named, under: claims) }
        #expect(error?.bodyError as? MarketStoreError == .unknownInstruments([unknown]))
        let spread = Market.batch((0..<401).map { Market.candle(.second, at: $0 * Market.day) })
        let wide = await storeError { try await database.store(spread, under: claims) }
        #expect(wide?.bodyError as? MarketStoreError == .tooManyPartitions(found: 401, limit: 400))
        #expect(try await Market.all(.minute, in: database).isEmpty)
        await database.close()
    }

    @Test("the ends of time and 1970 have partitions for every length")
    func farAway() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database)
        let length = { (interval: CandleInterval) in interval.seconds * Market.second }
        for interval in CandleInterval.allCases where interval != .week {
            let last = Int64.max - Int64.max % length(interval)
            let starts = [-last, -length(interval), 0, last]
            let candles = starts.map { start in
                var candle = Market.candle(interval, at: start)
                (candle.openTime, candle.closeTime) = (candle.start, candle.start)
                return candle
            }
            #expect(try await database.store(Market.batch(candles), under: claims).written == 4)
            #expect(
                try await Market.all(interval, in: database).map(\.start.nanoseconds) == starts.reversed())
        }
        await database.close()
    }

    @Test("what is filled in mends holes and closed candles that are incomplete, and nothing else")
    func fill() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database)
        let minute = { (number: Int64) in Market.midnight + number * 60 * Market.second }
        let own: [CandleRow] = [
            Market.candle(.minute, at: minute(0), flags: [.closed]),
            Market.candle(.minute, at: minute(1), flags: [.closed, .incomplete]),
            Market.candle(.minute, at: minute(2), flags: [.incomplete]),
        ]
        _ = try await database.store(Market.batch(own), under: claims)
        let venue = (0..<4).map { Market.candle(.minute, at: minute($0), 50, flags: [.closed, .fromVenue]) }
        #expect(try await database.fill(Market.batch(venue)) == StoredCandles(offered: 4, written: 2))
        #expect(
            try await Market.all(.minute, in: database) == [venue[3], own[2], venue[1], own[0]])
        let better = venue.map { candle in
            var better = candle
            better.high = Price(60)
            return better
        }
        #expect(try await database.fill(Market.batch(better)).written == 2)
        // The owner goes on where it was mended.
        #expect(try await database.store(Market.batch(own), under: claims).written == 1)
        await database.close()
    }

    @Test("the view has exact decimals, and the quote volume of inverse contracts")
    func view() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database)
        var batch = Market.batch([Market.candle(.hour, at: Market.midnight, 10)])
        batch.append(
            Market.candle(.hour, at: Market.midnight, 10, flags: [.closed, .amended]), of: Market.perpetual)
        _ = try await database.store(batch, under: claims)
        let common = ["1h", "2021-07-22 00:00:00+00", "1.0", "1.3", "0.7", "1.1", "10"]
        #expect(
            try await database.rows(ExactCandle()) == [
                ["bitmex", "XBTUSD"] + common
                    + ["10", "7.000", "10", "true", "false", "false", "true"],
                ["kraken", "BTC/USD"] + common + ["70", "7.000", "10", "true", "false", "false", "false"],
            ])
        await database.close()
    }

    @Test("the newest of each instrument and length, to go on from after a start")
    func newest() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database)
        let minutes = (0..<3).map { Market.candle(.minute, at: Market.midnight + $0 * 60 * Market.second) }
        let hour = Market.candle(.hour, at: Market.midnight)
        _ = try await database.store(Market.batch(minutes + [hour]), under: claims)
        _ = try await database.insert(Market.batch([Market.trade(1)]))
        let both = [Market.perpetual, Market.bitcoin]
        let newest = try await database.newestCandles(of: both)
        #expect(newest.map(\.candle) == [minutes[2], hour])
        #expect(newest.allSatisfy { $0.instrument == Market.bitcoin })
        #expect(
            try await database.storedEnds(of: both) == [
                StoredEnds(instrument: Market.perpetual, trade: nil, minute: nil),
                StoredEnds(
                    instrument: Market.bitcoin, trade: Market.time(Market.midnight),
                    minute: minutes[2].start),
            ])
        await database.close()
    }
}
