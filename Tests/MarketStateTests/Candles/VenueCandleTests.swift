import Instruments
import MarketData
import MarketState
import Testing

@Suite("A venue's candle beside ours")
struct VenueCandleTests {
    private static let minute = Timestamp(nanoseconds: 60_000_000_000)

    /// Two trades, at 10.0 and 12.5, in tenths and hundredths.
    private static let own: Candle = {
        var sums = CandleSums<Int64>(trade(100, 300, .buy))
        try? sums.add(trade(125, 50, .sell))
        return Candle(interval: .minute, start: minute, sums: sums, flags: [.closed, .incomplete])
    }()

    private static func trade(_ price: Int64, _ size: Int64, _ side: Side) -> CandleTrade<Int64> {
        CandleTrade(
            time: minute, price: price, size: size, pricePlaces: 1, sizePlaces: 2, side: side)
    }

    /// As the venue tells it: finer numbers, no value in the quote asset.
    private static func theirs(close: Int64 = 12_500, volume: Int128 = 35_000, count: Int64 = 2) -> Candle {
        let sums = CandleSums<Int64>(
            openTime: minute, closeTime: minute, open: 10_000, high: 12_500, low: 10_000, close: close,
            volume: volume, takerBuyVolume: 0, notional: .zero, count: count, pricePlaces: 3, sizePlaces: 4)
        return Candle(
            interval: .minute, start: minute, sums: sums, flags: [.closed, .fromVenue, .withoutNotional])
    }

    @Test("proves ours, with the value and the takers' part that only ours has, where both say the same")
    func same() {
        let candle = Self.theirs().completed(by: Self.own)
        #expect(candle.sums == Self.own.sums)
        #expect(candle.flags == [.closed, .fromVenue])
    }

    @Test(
        "stands as it is where ours says otherwise",
        arguments: [theirs(close: 12_400), theirs(volume: 35_001), theirs(count: 3)])
    func different(theirs: Candle) {
        #expect(theirs.completed(by: Self.own) == theirs)
        #expect(theirs.completed(by: nil) == theirs)
    }

    @Test("is not mixed with another interval's")
    func otherStart() {
        var other = Self.own
        other.start = Timestamp(nanoseconds: 120_000_000_000)
        #expect(Self.theirs().completed(by: other) == Self.theirs())
    }
}
