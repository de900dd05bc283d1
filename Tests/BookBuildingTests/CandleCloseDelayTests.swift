import Instruments
import MarketData
import Support
import Testing

@testable import BookBuilding

@Suite("Candles while the bus is silent")
struct CandleCloseDelayTests {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    private func second(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(seconds * 1_000_000_000))
    }

    @Test("stay open, and two seconds longer, for what was held back on the way")
    func hold() {
        var hold = CandleCloseDelay()
        hold.note(isSilent: false, at: second(0))
        #expect(hold.mayClose(at: second(0)))
        hold.note(isSilent: true, at: second(1))
        hold.note(isSilent: true, at: second(35))
        #expect(!hold.mayClose(at: second(35)) && !hold.mayClose(at: second(37)))
        hold.note(isSilent: false, at: second(36))
        #expect(!hold.mayClose(at: second(36.9)) && hold.mayClose(at: second(37.1)))
    }

    @Test("are told closed by a builder when that is over, and no sooner")
    func builder() async throws {
        try await BuilderFixture.run { fixture in
            var core = BuilderCore(
                configuration: BookBuildingConfiguration(), publisher: try fixture.publisher("book-builder"),
                archive: nil, candles: nil, reads: nil, mends: nil, requestState: { _ in })
            var (ticks, told) = (0, UInt64(0))
            // Ten ticks a second, as the builder's clock has them; how many candles were told meanwhile.
            func run(until end: Double) -> UInt64 {
                defer { told = core.market.candles }
                while Double(ticks) / 10 < end {
                    ticks += 1
                    core.tick(at: second(Double(ticks) / 10))
                }
                return core.market.candles - told
            }
            let known = core.board.index(of: Self.id, epoch: 1)
            let index = try #require(known)
            core.board.take(.last, of: index, at: second(0))
            core.board.settle()
            core.set.bus(isSilent: true, at: second(0))
            #expect(run(until: 1) > 0, "the open ones")
            #expect(run(until: 35) == 0)
            core.set.bus(isSilent: false, at: second(35))
            #expect(run(until: 37) == 0)
            #expect(run(until: 38) > 0, "the closed ones")
        }
    }
}

extension Trade {
    /// One unit at 100, a second before a minute's end.
    fileprivate static let last = Trade(
        id: "t1", side: .buy, price: Price(100), size: Quantity(1), priceScale: .zero, sizeScale: .zero,
        venueTime: Timestamp(nanoseconds: 1_767_225_599_000_000_000), receivedTime: .zero)
}
