import Instruments
import MarketData
import MarketState
import MarketStore
import Support
import Testing

@testable import BookBuilding

@Suite("Longer candles over minutes that came from elsewhere")
struct LongerCandleTests {
    private static let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")
    private static let minute: Int64 = 60_000_000_000
    /// The beginning of an hour that is one of four hours.
    private static let hour: Int64 = 1_699_992_000_000_000_000

    private static func time(_ minutes: Int64, _ seconds: Int64 = 0) -> Timestamp {
        Timestamp(nanoseconds: hour + minutes * minute + seconds * 1_000_000_000)
    }

    private static func trade(_ minutes: Int64, _ seconds: Int64) -> Trade {
        Trade(
            id: "t\(minutes).\(seconds)", side: .buy, price: Price(100), size: Quantity(1),
            priceScale: .zero, sizeScale: .zero, venueTime: time(minutes, seconds),
            receivedTime: time(minutes, seconds))
    }

    /// A minute of ten trades that the venue gave.
    private static func given(_ minutes: Int64) throws -> (CandleKey, CandleRow) {
        let sums = CandleSums<Int64>(
            openTime: time(minutes), closeTime: time(minutes, 59), open: 100, high: 100, low: 100, close: 100,
            volume: 10, takerBuyVolume: 5, notional: Int256(Int128(1_000)), count: 10, pricePlaces: 0,
            sizePlaces: 0)
        let candle = Candle(
            interval: .minute, start: time(minutes), sums: sums, flags: [.closed, .fromVenue])
        return (CandleKey(candle), try #require(CandleRow(candle)))
    }

    /// What is stored by a builder that begins when the tape has a trade every ten seconds of some minutes.
    private static func stored(
        trades: ClosedRange<Int64>, given: some Sequence<Int64>
    ) throws -> [CandleKey: CandleRow] {
        // The first minute is cut.
        var tape: [Trade] = []
        for minute in trades {
            for second in [5, 15, 25, 35, 45, 55] as [Int64] where minute > trades.lowerBound || second > 20 {
                tape.append(trade(minute, second))
            }
        }
        var rows = Dictionary(uniqueKeysWithValues: try given.map { try Self.given($0) })
        var market = InstrumentMarket(id, hasTape: true, pendingLimit: 10)
        market.begin()
        let now = time(trades.upperBound + 1)
        let isReading = market.beginReading(at: now)
        #expect(isReading)
        market.adopt(StoredTape(tape, rows, from: market.readFrom), of: market.reading)
        market.drain()
        for candle in market.takeStorable() { rows[CandleKey(candle)] = CandleRow(candle) }
        return rows
    }

    private static func isComplete(
        _ rows: [CandleKey: CandleRow], _ interval: CandleInterval, _ minutes: Int64
    ) throws -> Bool {
        let row = try #require(rows[CandleKey(interval, time(minutes))])
        return !row.flags.contains(.incomplete)
    }

    @Test("are incomplete where the venue's minutes are an island before the tape, and where it begins")
    func island() throws {
        let rows = try Self.stored(trades: 80...140, given: 58...59)
        for (interval, start) in [
            (CandleInterval.fiveMinutes, 55), (.quarterHour, 45), (.halfHour, 30), (.hour, 0),
            (.fiveMinutes, 80), (.quarterHour, 75), (.halfHour, 60), (.hour, 60),
        ] as [(CandleInterval, Int64)] {
            #expect(try !Self.isComplete(rows, interval, start), "\(interval) \(start)")
        }
        #expect(try !Self.isComplete(rows, .minute, 80))
        for (interval, start) in [
            (CandleInterval.fiveMinutes, 85), (.quarterHour, 90), (.halfHour, 90),
        ] as [(CandleInterval, Int64)] {
            #expect(try Self.isComplete(rows, interval, start), "\(interval) \(start)")
        }
    }

    @Test("are complete, and the sum of their minutes, where the venue's minutes reach up to the tape")
    func joined() throws {
        let rows = try Self.stored(trades: 80...140, given: 60...80)
        #expect(try Self.isComplete(rows, .hour, 60))
        let hour = try #require(rows[CandleKey(.hour, Self.time(60))])
        // 21 minutes of the venue and 39 of the tape.
        #expect(hour.tradeCount == 21 * 10 + 39 * 6)
        #expect(try Self.isComplete(rows, .quarterHour, 75))
        #expect(rows[CandleKey(.hour, Self.time(0))] == nil)
    }

    @Test("are incomplete where one minute before the tape is not known")
    func holed() throws {
        let rows = try Self.stored(trades: 80...140, given: (60...80).filter { $0 != 70 })
        #expect(try !Self.isComplete(rows, .hour, 60))
        #expect(try !Self.isComplete(rows, .fiveMinutes, 70))
        #expect(try Self.isComplete(rows, .quarterHour, 75))
    }
}
