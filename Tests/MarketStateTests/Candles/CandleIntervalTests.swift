import Instruments
import MarketData
import Support
import Testing

@testable import MarketState

@Suite("Candle intervals")
struct CandleIntervalTests {
    @Test(
        "begin on the clock, days at midnight and weeks on Monday, also before 1970",
        arguments: [
            ("1s", "2024-02-29T13:47:58.9Z", "2024-02-29T13:47:58Z"),
            ("1m", "2024-02-29T13:47:58.9Z", "2024-02-29T13:47:00Z"),
            ("5m", "2024-02-29T13:47:58.9Z", "2024-02-29T13:45:00Z"),
            ("15m", "2024-02-29T13:47:58.9Z", "2024-02-29T13:45:00Z"),
            ("30m", "2024-02-29T13:47:58.9Z", "2024-02-29T13:30:00Z"),
            ("1h", "2024-02-29T13:47:58.9Z", "2024-02-29T13:00:00Z"),
            ("4h", "2024-02-29T13:47:58.9Z", "2024-02-29T12:00:00Z"),
            ("1d", "2024-02-29T13:47:58.9Z", "2024-02-29T00:00:00Z"),
            ("1w", "2024-02-29T13:47:58.9Z", "2024-02-26T00:00:00Z"),
            ("1w", "2024-02-26T00:00:00Z", "2024-02-26T00:00:00Z"),
            ("1w", "2024-02-25T23:59:59.9Z", "2024-02-19T00:00:00Z"),
            ("1w", "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z"),
            ("1w", "1969-12-28T12:00:00Z", "1969-12-22T00:00:00Z"),
            ("1d", "1969-12-28T12:00:00Z", "1969-12-28T00:00:00Z"),
        ])
    func starts(name: String, time: String, start: String) throws {
        let interval = try #require(CandleInterval(rawValue: name))
        let time = try #require(Timestamp(iso8601: time))
        #expect(interval.start(of: time).iso8601(fractionDigits: 0) == start)
    }

    @Test("contain every instant exactly once")
    func partition() {
        property { generator in
            let interval = generator.pick(CandleInterval.allCases)
            let time = Timestamp(nanoseconds: generator.int64() / 2)
            let start = interval.start(of: time)
            try #require(start <= time && time < interval.end(from: start))
            try #require(interval.start(of: start) == start)
            try #require(
                interval.start(of: start.adding(nanoseconds: -1))
                    == start.adding(nanoseconds: -interval.nanoseconds))
        }
    }

    @Test("are ranked as they are listed")
    func ranks() { #expect(CandleInterval.allCases.map(\.rank) == Array(0..<9)) }

    @Test("longer candles rolled up from minutes equal those of the trades")
    func rollup() {
        property { generator in
            let trades = Tape.random(&generator, count: 300, seconds: generator.int(1...900_000), lateness: 0)
            let all = CandleAggregatorConfiguration(
                amendable: [Int](repeating: 1_000, count: 9), identities: 1_000)
            var aggregator = CandleAggregator(all)
            for trade in trades { _ = aggregator.apply(trade) }
            let end = try #require(trades.map(\.venueTime).max())
            for interval in CandleInterval.allCases.dropFirst(2) {
                let rolled = try CandleRollup.roll(aggregator.candles(.minute), into: interval, closedAt: end)
                try #require(rolled.map(\.sums) == aggregator.candles(interval).map(\.sums))
                try #require(rolled.map(\.start) == aggregator.candles(interval).map(\.start))
            }
        }
    }

    @Test("empty intervals become flat candles on request, and these add nothing to longer ones")
    func flat() throws {
        var aggregator = CandleAggregator()
        for second in [60, 250] { _ = aggregator.apply(Tape.trade("\(second)", at: Int64(second), 100, 5)) }
        let minutes = aggregator.candles(.minute)
        let filled = CandleRollup.filled(minutes, until: Timestamp(nanoseconds: 360_000_000_000))
        #expect(filled.map { $0.start.nanoseconds / 60_000_000_000 } == [1, 2, 3, 4, 5])
        #expect(filled.map { $0.flags.contains(.flat) } == [false, true, true, false, true])
        #expect(filled.map(\.sums.count) == [1, 0, 0, 1, 0])
        let time = Timestamp(nanoseconds: 600_000_000_000)
        let direct = try CandleRollup.roll(minutes, into: .fiveMinutes, closedAt: time)
        #expect(
            try CandleRollup.roll(filled, into: .fiveMinutes, closedAt: time).first?.sums
                == direct.first?.sums)
        #expect(direct.first?.flags == .closed)
    }

    @Test("values of contracts: linear by price, inverse by number")
    func quoteVolume() throws {
        var aggregator = CandleAggregator()
        _ = aggregator.apply(Tape.trade("1", at: 60, 20_000, 5_000))
        let candle = try #require(aggregator.newest(.minute))
        let tenth = DecimalNumber(units: 1, scale: try #require(Scale(1)))
        let hundred = DecimalNumber(units: 100, scale: .zero)
        func text(_ terms: ContractTerms) -> String? { candle.quoteVolume(terms)?.normalized.description }
        #expect(text(.spot) == "1000")
        #expect(text(ContractTerms(multiplier: tenth)) == "100")
        #expect(text(ContractTerms(isInverse: true, multiplier: hundred)) == "500")
        #expect(candle.averagePrice?.price(at: try #require(Scale(2)), roundedTo: .zero)?.units == 200)
    }

    @Test("chart ranges span at least what they are named after")
    func ranges() {
        let days = ChartRange.allCases.map { Int($0.interval.seconds) * $0.count / 3_600 }
        #expect(days == [1, 24, 168, 744, 2_208, 4_416, 8_784])
    }
}
