import Instruments
import MarketData
import MarketState
import MarketStore
import Support
import Testing
import Wire

@testable import BookBuilding

@Suite("A reading of the tape that ends under a later lease than it began under")
struct LateReadingTests {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    private static func trade(_ id: String, at seconds: Int64) -> Trade {
        let time = Timestamp(nanoseconds: (1_699_999_200 + seconds) * 1_000_000_000)
        return Trade(
            id: id, side: .buy, price: Price(100), size: Quantity(1), priceScale: .zero, sizeScale: .zero,
            venueTime: time, receivedTime: time)
    }

    private static func mark(_ trade: Trade) -> TradesStored {
        TradesStored(lastTradeID: trade.id, lastVenueTime: trade.venueTime, inserted: 1)
    }

    @Test("is passed over: it lacks what was stored between, which is not live any more either")
    func passedOver() throws {
        let (first, second, next) = (
            Self.trade("1", at: 1), Self.trade("2", at: 2), Self.trade("3", at: 200)
        )
        var market = InstrumentMarket(Self.id, hasTape: true, pendingLimit: 10)
        market.begin()
        let isReading = market.beginReading(at: first.venueTime)
        #expect(isReading)
        let early = (StoredTape([first], [:], from: market.readFrom), market.reading)
        market.take(second)
        market.take(Self.mark(second))
        // A builder that had no processor for a moment: its leases were over, and are its own again.
        market.end()
        market.begin()
        let isReadingAgain = market.beginReading(at: second.venueTime)
        #expect(isReadingAgain)
        let late = (StoredTape([first, second], [:], from: market.readFrom), market.reading)
        market.adopt(early.0, of: early.1)
        market.adopt(late.0, of: late.1)
        market.take(next)
        market.take(Self.mark(next))
        market.drain()
        let minute = try #require(market.takeStorable().first { $0.interval == .minute })
        #expect(minute.sums.count == 2)
    }

    @Test("does not end a later one when it fails")
    func failed() {
        var market = InstrumentMarket(Self.id, hasTape: true, pendingLimit: 10)
        let trade = Self.trade("1", at: 1)
        market.begin()
        let isReading = market.beginReading(at: trade.venueTime)
        let early = market.reading
        market.end()
        market.begin()
        let isReadingAgain = market.beginReading(at: trade.venueTime)
        #expect(isReading && isReadingAgain)
        market.abandonReading(early)
        #expect(market.tape.isReading)
        market.adopt(StoredTape([trade], [:], from: market.readFrom), of: market.reading)
        #expect(market.phase == .following)
    }
}
