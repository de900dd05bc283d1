import Instruments
import MarketState
import MarketStore
import Store
import Support
import Testing

@Suite("Trending from stored candles", .timeLimit(.minutes(10)))
struct TrendingUpdateTests {
    private static let hour = 3_600 * Market.second

    /// A candle that is so many hours before midnight.
    private static func candle(
        hoursBefore: Int64, open: Int64, close: Int64, volume: String, places: Int = 1
    ) throws -> CandleRow {
        var candle = Market.candle(.hour, at: Market.midnight - hoursBefore * hour)
        candle.priceScale = Market.scale(places)
        (candle.open, candle.close) = (Price(open), Price(close))
        (candle.high, candle.low) = (Price(max(open, close)), Price(min(open, close)))
        candle.volume = try Market.amount(volume)
        candle.takerBuyVolume = nil
        return candle
    }

    @Test("scores growth of volume and movement of price over two days of hours, and shows the parts")
    func scores() async throws {
        let (database, _) = try await Market.database()
        let update = TrendingUpdate(database)
        #expect(try await update.update().count == 0)
        var batch = CandleBatch()
        // 2 before, 4.5 in the day: grown by 1,250 thousandths; 100.0 to 110.00: 1,000 basis points.
        for candle in [
            try Self.candle(hoursBefore: 49, open: 1, close: 1, volume: "1000"),
            try Self.candle(hoursBefore: 48, open: 900, close: 900, volume: "0.5"),
            try Self.candle(hoursBefore: 25, open: 900, close: 990, volume: "1.50"),
            try Self.candle(hoursBefore: 24, open: 1_000, close: 1_010, volume: "4"),
            try Self.candle(hoursBefore: 1, open: 10_900, close: 11_000, volume: "0.5", places: 2),
            try Self.candle(hoursBefore: 0, open: 1, close: 1, volume: "7000"),
        ] { batch.append(candle, of: Market.bitcoin) }
        // Nothing to compare with: no part for the volume; the price fell by half and more.
        batch.append(
            try Self.candle(hoursBefore: 2, open: 1_000, close: 400, volume: "9"), of: Market.perpetual)
        _ = try await database.fill(batch)
        // The candle of midnight is the newest one: the day ends where it begins.
        #expect(try await update.update() == .init(count: 2, isWhole: true))
        let rows = try await database.trending(limit: 10)
        #expect(rows.map(\.hour) == [Market.time(Market.midnight), Market.time(Market.midnight)])
        #expect(rows.map(\.row.instrument) == [Market.perpetual, Market.bitcoin])
        let second = rows[1].row
        // 600·1,250 / 10,000 and 400·1,000 / 5,000.
        #expect(second.volumeScore == Numeric("75") && second.priceScore == Numeric("80"))
        #expect(second.score == Numeric("155") && second.volume == Numeric("4.5"))
        #expect(second.usualVolume == Numeric("2") && second.priceChange == Numeric("0.1000"))
        let first = rows[0].row
        #expect(first.volumeScore == Numeric("0") && first.priceScore == Numeric("400"))
        #expect(first.priceChange == Numeric("-0.6000"))
        // Once more changes nothing.
        #expect(try await update.update() == .init(count: 2, isWhole: true))
        #expect(try await database.trending(limit: 10).map(\.row) == rows.map(\.row))
        await database.close()
    }

    @Test("before the first whole hour the minutes count, under the hour that they are of")
    func minutes() async throws {
        let (database, _) = try await Market.database()
        var batch = CandleBatch()
        let minute = 60 * Market.second
        for (number, prices) in [(100, 101), (103, 104), (104, 105)].enumerated() {
            var candle = Market.candle(.minute, at: Market.midnight + (Int64(number) + 5) * minute)
            (candle.open, candle.close) = (Price(Int64(prices.0)), Price(Int64(prices.1)))
            (candle.high, candle.low) = (candle.close, candle.open)
            candle.takerBuyVolume = nil
            batch.append(candle, of: Market.bitcoin)
        }
        _ = try await database.fill(batch)
        #expect(try await TrendingUpdate(database).update() == .init(count: 1, isWhole: false))
        let row = try #require(try await database.trending(limit: 10).first)
        #expect(row.hour == Market.time(Market.midnight))
        // 10.0 to 10.5 is 500 basis points: 400·500 / 5,000.
        #expect(row.row.priceScore == Numeric("40") && row.row.volumeScore == Numeric("0"))
        await database.close()
    }
}
