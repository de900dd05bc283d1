import Instruments
import MarketData
import Support
import Testing

@testable import MarketState

@Suite("Candle aggregator")
struct CandleAggregatorTests {
    /// Everything that was published, the newest state of each candle.
    private static func collect(
        _ aggregator: inout CandleAggregator, _ into: inout [CandleInterval: [Int64: Candle]]
    ) {
        aggregator.drain { into[$0.interval, default: [:]][$0.start.nanoseconds] = $0 }
    }

    private static let wide = CandleAggregatorConfiguration(
        amendable: [Int](repeating: 10_000, count: 9), identities: 10_000)

    @Test("equals grouping and sorting, in every interval, however often it is drained")
    func againstNaive() {
        property { generator in
            let trades = Tape.random(
                &generator, count: generator.int(1...300), seconds: generator.int(1...90_000), lateness: 400)
            var aggregator = CandleAggregator(Self.wide)
            var published: [CandleInterval: [Int64: Candle]] = [:]
            for trade in trades {
                let outcome = aggregator.apply(trade)
                try #require(outcome == .added)
                if generator.chance(10) { Self.collect(&aggregator, &published) }
            }
            Self.collect(&aggregator, &published)
            for interval in CandleInterval.allCases {
                let expected = Tape.naive(trades, interval)
                let found = (published[interval] ?? [:]).mapValues { NaiveCandle($0.sums) }
                try #require(found == expected, "\(interval)")
            }
            let repairs = aggregator.takeRepairs()
            try #require(repairs.isEmpty)
        }
    }

    @Test("candles that it cannot reach are all named for repair, the others are right")
    func boundedReach() {
        property { generator in
            let trades = Tape.random(
                &generator, count: 300, seconds: generator.int(100...5_000), lateness: 900)
            let configuration = CandleAggregatorConfiguration(
                amendable: (0..<9).map { _ in generator.int(1...3) }, identities: generator.int(1...200))
            var aggregator = CandleAggregator(configuration)
            var published: [CandleInterval: [Int64: Candle]] = [:]
            var repairs: [CandleRepair] = []
            for trade in trades {
                _ = aggregator.apply(trade)
                if generator.chance(10) { Self.collect(&aggregator, &published) }
                if generator.chance(10) { repairs += aggregator.takeRepairs() }
            }
            Self.collect(&aggregator, &published)
            repairs += aggregator.takeRepairs()
            for interval in CandleInterval.allCases {
                for (start, expected) in Tape.naive(trades, interval) {
                    let candle = published[interval]?[start]
                    let end = start + interval.nanoseconds
                    let isNamed = repairs.contains {
                        $0.longest.rank >= interval.rank && $0.from.nanoseconds < end
                            && $0.to.nanoseconds >= start
                    }
                    let isRight = candle.map { NaiveCandle($0.sums) } == expected
                    try #require(isRight || isNamed, "\(interval) \(start)")
                }
            }
        }
    }

    @Test("a trade that comes twice counts once, in the same and in another id space it is another")
    func duplicates() {
        var aggregator = CandleAggregator()
        let outcome1 = aggregator.apply(Tape.trade("7", at: 60, 100, 5))
        #expect(outcome1 == .added)
        let outcome2 = aggregator.apply(Tape.trade("7", at: 60, 100, 5))
        #expect(outcome2 == .duplicate)
        var aggregate = Tape.trade("7", at: 60, 100, 5)
        aggregate.isAggregate = true
        let outcome3 = aggregator.apply(aggregate)
        #expect(outcome3 == .added)
        #expect(aggregator.newest(.minute)?.sums.count == 2)
    }

    @Test("a trade that may have been forgotten is not counted, but named for repair")
    func forgotten() {
        var aggregator = CandleAggregator(CandleAggregatorConfiguration(identities: 2))
        for number in 1...3 { _ = aggregator.apply(Tape.trade("\(number)", at: Int64(number), 100, 5)) }
        let outcome4 = aggregator.apply(Tape.trade("1", at: 1, 100, 5))
        #expect(outcome4 == .unknown)
        #expect(aggregator.newest(.minute)?.sums.count == 3)
        let time = Timestamp(nanoseconds: 1_000_000_000)
        let outcome5 = aggregator.takeRepairs()
        #expect(outcome5 == [CandleRepair(from: time, to: time, longest: .week)])
        let outcome6 = aggregator.takeRepairs()
        #expect(outcome6.isEmpty)
    }

    @Test("closes by time and by a later trade, and amends what a late trade changes")
    func flags() {
        var aggregator = CandleAggregator()
        var minutes: [Candle] = []
        func drained() -> [Candle] {
            minutes.removeAll()
            aggregator.drain { if $0.interval == .minute { minutes.append($0) } }
            return minutes
        }
        _ = aggregator.apply(Tape.trade("1", at: 61, 100, 5))
        #expect(drained().map(\.flags) == [[]])
        #expect(drained().isEmpty)
        aggregator.advance(to: Timestamp(nanoseconds: 120_000_000_000))
        #expect(drained().map(\.flags) == [.closed])
        aggregator.advance(to: Timestamp(nanoseconds: 121_000_000_000))
        #expect(drained().isEmpty)
        _ = aggregator.apply(Tape.trade("2", at: 62, 90, 5))
        #expect(drained().map(\.flags) == [[.closed, .amended]])
        #expect(minutes.first?.sums.close == 90)
        // An empty interval that a late trade fills is a new candle, closed and amended at once.
        _ = aggregator.apply(Tape.trade("3", at: 240, 90, 5))
        _ = aggregator.apply(Tape.trade("4", at: 130, 95, 5))
        #expect(drained().map(\.flags) == [[.closed, .amended], []])
    }

    @Test("a gap marks every candle that it touches, those to come included")
    func gaps() {
        var aggregator = CandleAggregator()
        _ = aggregator.apply(Tape.trade("1", at: 59, 100, 5))
        _ = aggregator.apply(Tape.trade("2", at: 61, 100, 5))
        let second: Int64 = 1_000_000_000
        aggregator.markGap(
            from: Timestamp(nanoseconds: 61 * second), to: Timestamp(nanoseconds: 120 * second))
        for time in [121, 181] { _ = aggregator.apply(Tape.trade("\(time)", at: Int64(time), 100, 5)) }
        let minutes = aggregator.candles(.minute).map { $0.flags.contains(.incomplete) }
        #expect(minutes == [false, true, true, false])
        #expect(aggregator.newest(.week)?.flags.contains(.incomplete) == true)
        #expect(
            aggregator.candles(.second).map { $0.flags.contains(.incomplete) } == [false, true, false, false])
    }

    @Test("a gap touches neither the candle that ends where it begins nor the one that begins after it")
    func gapEdges() {
        var aggregator = CandleAggregator()
        let second: Int64 = 1_000_000_000
        aggregator.markGap(
            from: Timestamp(nanoseconds: 120 * second), to: Timestamp(nanoseconds: 180 * second - 1))
        for time in [119, 150, 180] { _ = aggregator.apply(Tape.trade("\(time)", at: Int64(time), 100, 5)) }
        #expect(aggregator.candles(.minute).map { $0.flags.contains(.incomplete) } == [false, true, false])
    }

    @Test("many gaps become wide ones and none is forgotten")
    func manyGaps() {
        property { generator in
            var aggregator = CandleAggregator()
            var seconds: Set<Int64> = []
            for _ in 0..<100 {
                let second = Int64(generator.int(0...5_000))
                seconds.insert(second)
                let time = Timestamp(nanoseconds: second * 1_000_000_000)
                aggregator.markGap(from: time, to: time)
            }
            for second in seconds.sorted() {
                _ = aggregator.apply(Tape.trade("\(second)", at: second, 1, 1))
                try #require(aggregator.newest(.second)?.flags.contains(.incomplete) == true)
            }
        }
    }

    @Test("goes on from restored candles as if it had never stopped")
    func restored() {
        property { generator in
            let trades = Tape.random(&generator, count: 200, seconds: generator.int(1...20_000), lateness: 0)
                .sorted { $0.venueTime < $1.venueTime }
            let cut = generator.int(0...199)
            var whole = CandleAggregator(Self.wide)
            for trade in trades { _ = whole.apply(trade) }
            var before = CandleAggregator(Self.wide)
            for trade in trades[..<cut] { _ = before.apply(trade) }
            var after = CandleAggregator(Self.wide)
            for interval in CandleInterval.allCases {
                for candle in before.candles(interval) { _ = after.restore(candle) }
            }
            var republished = 0
            after.drain { _ in republished += 1 }
            try #require(republished == 0)
            for trade in trades[cut...] { _ = after.apply(trade) }
            for interval in CandleInterval.allCases {
                try #require(after.candles(interval) == whole.candles(interval))
            }
        }
    }

    @Test("the venue's candle takes the place of an incomplete one and takes no more trades")
    func venueCandle() throws {
        var aggregator = CandleAggregator()
        _ = aggregator.apply(Tape.trade("1", at: 61, 100, 5))
        _ = aggregator.apply(Tape.trade("2", at: 121, 100, 5))
        let scale = try #require(Scale(2))
        let venue = VenueCandle(
            interval: "1m", start: Timestamp(nanoseconds: 60_000_000_000), stop: .zero, open: Price(99),
            high: Price(105), low: Price(98), close: Price(101), volume: Quantity(77), tradeCount: 9,
            isClosed: true, priceScale: scale, sizeScale: scale, venueTime: .zero, receivedTime: .zero)
        let candle = try #require(Candle(venue))
        let outcome7 = aggregator.replace(candle)
        #expect(outcome7)
        let outcome8 = aggregator.apply(Tape.trade("3", at: 62, 300, 5))
        #expect(outcome8 == .added)
        #expect(aggregator.candles(.minute).first == candle)
        #expect(candle.flags == [.closed, .fromVenue, .withoutNotional])
        #expect(candle.quoteVolume(.spot) == nil && candle.averagePrice == nil)
    }

    @Test("restored candles that have no room are not published")
    func restoredWithoutRoom() {
        var aggregator = CandleAggregator()
        for minute in (Int64(1)...40).reversed() {
            let sums = CandleSums(CandleTrade<Int64>(Tape.trade("", at: minute * 60, 100, 5)))
            let start = Timestamp(nanoseconds: minute * 60_000_000_000)
            _ = aggregator.restore(Candle(interval: .minute, start: start, sums: sums, flags: .closed))
        }
        var published = 0
        aggregator.drain { _ in published += 1 }
        #expect(published == 0)
        #expect(aggregator.candles(.minute).count == 11)
    }

    @Test("takes numbers of several scales for what they are")
    func scales() throws {
        var aggregator = CandleAggregator()
        _ = aggregator.apply(Tape.trade("1", at: 60, 100, 5))
        var finer = Tape.trade("2", at: 61, 10_005, 50)
        finer.priceScale = try #require(Scale(4))
        finer.sizeScale = try #require(Scale(5))
        _ = aggregator.apply(finer)
        _ = aggregator.apply(Tape.trade("3", at: 62, 102, 5))
        let sums = try #require(aggregator.newest(.minute)?.sums)
        // 1.00 × 0.005 + 1.0005 × 0.00050 + 1.02 × 0.005
        #expect(sums.notionalValue.normalized.description == "0.01060025")
        #expect(sums.decimal(price: sums.close).normalized.description == "1.02")
        #expect(sums.decimal(size: sums.volume).normalized.description == "0.0105")
        var huge = Tape.trade("4", at: 63, .max, 1)
        huge.priceScale = .zero
        let outcome9 = aggregator.apply(huge)
        #expect(outcome9 == .overflow)
        #expect(aggregator.newest(.minute)?.sums == sums)
    }
}
