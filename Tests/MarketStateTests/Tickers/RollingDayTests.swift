import Instruments
import MarketData
import Support
import Testing

@testable import MarketState

@Suite("24-hour statistics")
struct RollingDayTests {
    private static func make() -> RollingDay {
        RollingDay(priceScale: Scale(2) ?? .zero, sizeScale: Scale(3) ?? .zero)
    }

    private static func second(_ time: Timestamp) -> Int64 { time.nanoseconds / 1_000_000_000 }

    /// The statistics by looking at every trade ever applied, in the order of coming.
    private static func check(_ day: RollingDay, _ trades: [Trade], now: Int64) throws {
        let sorted = trades.enumerated()
            .sorted { ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset) }.map(\.element)
        let before = sorted.filter { second($0.venueTime) <= now - 86_400 }
        let inside = sorted.filter { second($0.venueTime) > now - 86_400 }
        guard let found = day.statistics else { return try #require(sorted.isEmpty) }
        let open = before.last ?? inside.first
        try #require(found.open == open?.price, "open")
        try #require(found.last == sorted.last?.price && found.lastTime == sorted.last?.venueTime, "last")
        try #require(
            found.high == inside.map(\.price).max() && found.low == inside.map(\.price).min(), "range")
        try #require(found.volume == inside.reduce(0) { $0 + Int128($1.size.rawValue) }, "volume")
        let notional = inside.reduce(Int128(0)) { $0 + Int128($1.price.rawValue) * Int128($1.size.rawValue) }
        try #require(found.notional.narrowed == notional && found.count == Int64(inside.count), "notional")
        try #require(second(found.start) == now - 86_399 && found.isExact)
    }

    /// The second candles of trades, as the store would keep them.
    private static func rows(_ trades: [Trade]) throws -> [Candle] {
        var sums: [Timestamp: CandleSums<Int64>] = [:]
        for trade in trades {
            let start = CandleInterval.second.start(of: trade.venueTime)
            if try sums[start]?.add(CandleTrade(trade)) == nil {
                sums[start] = CandleSums(CandleTrade(trade))
            }
        }
        return sums.map { Candle(interval: .second, start: $0.key, sums: $0.value) }.sorted {
            $0.start < $1.start
        }
    }

    @Test("equal a look at all trades, at random instants, with late trades and restarts")
    func againstBruteForce() {
        property { generator in
            var day = Self.make()
            var trades: [Trade] = []
            var now = Int64(1_700_000_000)
            for step in 0..<generator.int(1...150) {
                // Quiet hours and busy seconds.
                now += Int64(generator.pick([0, 0, 0, 1, 1, 30, 600, 20_000, 90_000]))
                if step > 0 { day.advance(to: Timestamp(nanoseconds: now * 1_000_000_000)) }
                let late =
                    generator.chance(15) ? generator.pick([1, 600, 40_000, 86_399, 86_400, 100_000]) : 0
                let trade = Tape.trade(
                    "\(step)", at: now - Int64(late), Int64(generator.int(1...900)),
                    Int64(generator.int(1...900)), nanoseconds: Int64(generator.int(0...3)) * 250_000_000)
                try day.apply(trade)
                trades.append(trade)
                // Before the first trade the window has no end that a late one could miss.
                now = step == 0 ? Self.second(trade.venueTime) : max(now, Self.second(trade.venueTime))
                try Self.check(day, trades, now: now)
                if generator.chance(20) {
                    now += Int64(generator.int(0...50_000))
                    day.advance(to: Timestamp(nanoseconds: now * 1_000_000_000 + 999_999_999))
                    try Self.check(day, trades, now: now)
                }
                if generator.chance(10) {
                    day = Self.make()
                    for row in try Self.rows(trades) { try day.restore(row) }
                    day.advance(to: Timestamp(nanoseconds: now * 1_000_000_000))
                    try Self.check(day, trades, now: now)
                }
            }
        }
    }

    @Test("a busy day of every second rolls without a rest")
    func busyDay() throws {
        var day = Self.make()
        for second in Int64(0)..<200_000 {
            try day.apply(Tape.trade("", at: second, 1 + (second * 7_919) % 1_000, 1))
        }
        let statistics = try #require(day.statistics)
        #expect(statistics.count == 86_400 && statistics.volume == 86_400)
        #expect(statistics.high == Price(1_000) && statistics.low == Price(1))
        day.advance(to: Timestamp(nanoseconds: 400_000_000_000_000))
        let quiet = try #require(day.statistics)
        #expect(quiet.count == 0 && quiet.high == nil && quiet.open == statistics.last && quiet.change == 0)
    }

    @Test("minutes restore all but the last digit of time, and say so until they have left")
    func minutes() throws {
        var day = Self.make()
        for minute in Int64(0)..<3 {
            let sums = CandleSums(CandleTrade<Int64>(Tape.trade("", at: minute * 60 + 30, 100 + minute, 2)))
            try day.restore(
                Candle(interval: .minute, start: Timestamp(nanoseconds: minute * 60_000_000_000), sums: sums))
        }
        #expect(day.statistics?.isExact == false && day.statistics?.count == 3)
        try day.apply(Tape.trade("", at: 120, 99, 1))
        day.advance(to: Timestamp(nanoseconds: 86_519_000_000_000))
        #expect(day.statistics?.isExact == false && day.statistics?.count == 2)
        day.advance(to: Timestamp(nanoseconds: 86_520_000_000_000))
        #expect(day.statistics?.isExact == true && day.statistics?.count == 0)
        #expect(day.statistics?.open == Price(102))
    }

    @Test("change is exact and rounded half-even in percent")
    func change() throws {
        var day = Self.make()
        try day.apply(Tape.trade("1", at: 0, 800, 1))
        try day.apply(Tape.trade("2", at: 1, 801, 1))
        let statistics = try #require(day.statistics)
        #expect(statistics.change == 1)
        // 0.125 % lies between 0.12 and 0.13; the even one is 0.12.
        #expect(statistics.changePercentRounded?.description == "0.12")
        #expect(statistics.changePercent?.rounded(to: try #require(Scale(3)))?.description == "0.125")
        try day.apply(Tape.trade("3", at: 2, 400, 1))
        #expect(day.statistics?.changePercentRounded?.description == "-50.00")
    }

    @Test("finer scales refine all that is there, and what does not fit changes nothing")
    func scales() throws {
        var day = Self.make()
        try day.apply(Tape.trade("1", at: 0, 80_000, 5))
        try day.apply(Tape.trade("2", at: 90_000, 700, 5))
        var finer = Tape.trade("3", at: 90_001, 70_005, 50)
        finer.priceScale = try #require(Scale(4))
        finer.sizeScale = try #require(Scale(5))
        try day.apply(finer)
        let statistics = try #require(day.statistics)
        #expect(statistics.open == Price(8_000_000) && statistics.low == Price(70_000))
        #expect(statistics.volume == 550)
        #expect(
            statistics.high == Price(70_005) && statistics.notional.narrowed == 70_000 * 500 + 70_005 * 50)
        finer.priceScale = .maximum
        #expect(throws: CandleOverflow.self) { try day.apply(finer) }
        #expect(day.statistics == statistics)
    }

    @Test("nothing is known before the first trade")
    func empty() {
        var day = Self.make()
        #expect(day.statistics == nil)
        day.advance(to: .zero)
        #expect(day.statistics == nil)
    }
}
