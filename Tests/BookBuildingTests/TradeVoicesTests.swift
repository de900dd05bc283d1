import Instruments
import MarketData
import MarketState
import Support
import Testing

@testable import BookBuilding

@Suite("Candles of trades whose producer is not heard")
struct TradeVoicesTests {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    private func second(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: (1_767_225_600 + seconds) * 1_000_000_000)
    }

    /// Starts of the candles of a second that were told closed.
    private func closed(_ board: inout MarketSet) -> [Timestamp] {
        defer { board.outputs.removeAll() }
        return board.outputs.compactMap { output in
            guard case .candle(_, let candle) = output, candle.interval == .second,
                candle.flags.contains(.closed), !candle.flags.contains(.flat)
            else { return nil }
            return candle.start
        }
    }

    @Test("close as far as it was heard, whatever the time is and whoever else is heard")
    func bound() throws {
        var (board, voices) = (MarketSet(limit: 8, hasTape: false, pendingLimit: 8), TradeVoices())
        let known = board.index(of: Self.id, epoch: 1)
        let index = try #require(known)
        voices.hear(3, at: second(0))
        voices.say(index, by: 3)
        let trade = Trade(
            id: "t1", side: .buy, price: Price(100), size: Quantity(1), priceScale: .zero, sizeScale: .zero,
            venueTime: second(0), receivedTime: .zero)
        board.take(trade, of: index, at: second(0))
        board.settle()
        voices.hear(3, at: second(1))
        voices.hear(4, at: second(60))
        board.advance(at: second(60), heard: voices)
        #expect(closed(&board) == [])
        voices.hear(3, at: second(2))
        board.advance(at: second(60), heard: voices)
        #expect(closed(&board) == [second(0)])
    }

    @Test("are bound by anybody where nobody has said a trade, or its producer is forgotten")
    func anybody() {
        var voices = TradeVoices()
        #expect(voices.lastHeard(of: 0) == nil)
        voices.hear(2, at: second(5))
        #expect(voices.lastHeard(of: 0) == second(5))
        voices.hear(1, at: second(6))
        voices.say(0, by: 2)
        #expect(voices.lastHeard(of: 0) == second(5))
        voices.forget(2)
        #expect(voices.lastHeard(of: 0) == second(6))
    }
}
