import Instruments
import Testing

@testable import VenueSimulation

@Suite("Prices of the synthetic market")
struct PriceModelTests {
    /// 2026-11-28.
    private static let today: Int64 = 20_785

    private static func path(
        _ code: String, in quote: String = "USD", _ model: inout PriceModel
    ) throws -> PricePath {
        let base = try #require(SyntheticAsset.byCode[code])
        let other = try #require(SyntheticAsset.byCode[quote])
        return model.path(of: base, in: other, at: "test:\(code)", unit: base.dollars / other.dollars * 1e-6)
    }

    private static func time(_ day: Int64, _ second: Int64, _ nanoseconds: Int64 = 0) -> Timestamp {
        Timestamp(nanoseconds: (day * 86_400 + second) * 1_000_000_000 + nanoseconds)
    }

    @Test("the same moment has the same price, however it is come to; another seed has another")
    func determinism() throws {
        var model = PriceModel(seed: 1)
        var path = try Self.path("ETH", &model)
        var walked: [Int64] = []
        for second in 0..<4_000 {
            walked.append(path.units(at: Self.time(Self.today, Int64(second)), in: &model))
        }
        var fresh = PriceModel(seed: 1)
        _ = try Self.path("SOL", &fresh)
        var other = try Self.path("ETH", &fresh)
        for second in stride(from: 3_999, through: 0, by: -97) {
            #expect(other.units(at: Self.time(Self.today, Int64(second)), in: &fresh) == walked[second])
        }
        var second = PriceModel(seed: 2)
        var elsewhere = try Self.path("ETH", &second)
        #expect(elsewhere.units(at: Self.time(Self.today, 0), in: &second) != walked[0])
    }

    @Test("it has no gaps: from second to second, minute to minute, day to day")
    func continuity() throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            var model = PriceModel(seed: seed)
            var path = try Self.path("BTC", &model)
            for day in Self.today..<Self.today + 2 {
                for hour in 0..<24 as Range<Int64> {
                    for second in [hour * 3_600, hour * 3_600 + 60, hour * 3_600 + 61] where second > 0 {
                        let before = path.units(at: Self.time(day, second, -1), in: &model)
                        let after = path.units(at: Self.time(day, second), in: &model)
                        #expect(abs(after - before) <= 1, "day \(day), second \(second)")
                    }
                }
                let night = path.units(at: Self.time(day + 1, 0, -1), in: &model)
                #expect(abs(path.units(at: Self.time(day + 1, 0), in: &model) - night) <= 1)
            }
        }
    }

    @Test("minutes add up to their hour, seconds stay within their minute")
    func nesting() throws {
        var model = PriceModel(seed: 4)
        var path = try Self.path("SOL", &model)
        for day in Self.today - 3..<Self.today {
            let hours = path.hours(of: day, in: &model)
            for (hour, whole) in hours.enumerated() {
                let number = day * 24 + Int64(hour)
                let minutes = path.minutes(of: number, in: &model)
                #expect(minutes.map(\.high).max() == whole.high && minutes.map(\.low).min() == whole.low)
                #expect(minutes[0].open == whole.open && minutes[59].close == whole.close)
                #expect(zip(minutes, minutes.dropFirst()).allSatisfy { $0.close == $1.open })
                #expect(
                    minutes.allSatisfy {
                        $0.low <= min($0.open, $0.close) && $0.high >= max($0.open, $0.close)
                    })
                let seconds = path.seconds(of: number * 60 + 7, in: &model)
                #expect(seconds.allSatisfy { $0 >= minutes[7].low && $0 <= minutes[7].high })
                #expect(seconds.first == minutes[7].open && seconds.last == minutes[7].close)
            }
        }
    }

    @Test("what would leave its hour turns back, and does not lie along the highest or the lowest")
    func turning() throws {
        var model = PriceModel(seed: 4)
        var path = try Self.path("SOL", &model)
        for day in Self.today - 10..<Self.today {
            for (hour, whole) in path.hours(of: day, in: &model).enumerated() {
                let ends = path.minutes(of: day * 24 + Int64(hour), in: &model).dropLast().map(\.close)
                #expect(!ends.contains { $0 == whole.high || $0 == whole.low }, "day \(day), hour \(hour)")
            }
        }
    }

    private static func returns(_ code: String, _ model: inout PriceModel) throws -> [Double] {
        var path = try path(code, &model)
        let levels = (today - 730...today).map { path.hours(of: $0, in: &model)[0].open }
        #expect(levels.allSatisfy { PricePath.units($0) > 50_000 && PricePath.units($0) < 20_000_000 })
        return zip(levels.dropFirst(), levels).map { $0 - $1 }
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    private static func deviation(_ values: [Double]) -> Double {
        let middle = mean(values)
        return mean(values.map { ($0 - middle) * ($0 - middle) }).squareRoot()
    }

    private static func correlation(_ one: [Double], _ other: [Double]) -> Double {
        let (first, second) = (mean(one), mean(other))
        return mean(zip(one, other).map { ($0 - first) * ($1 - second) })
            / deviation(one) / deviation(other)
    }

    @Test("years look like a market's: volatility, correlation, fat tails, volatility in clusters")
    func statistics() throws {
        var clustering = 0.0
        for seed in 1...4 as ClosedRange<UInt64> {
            var model = PriceModel(seed: seed)
            let bitcoin = try Self.returns("BTC", &model)
            let ether = try Self.returns("ETH", &model)
            let dogecoin = try Self.returns("DOGE", &model)
            let year = 365.0.squareRoot()
            #expect((0.3...0.9).contains(Self.deviation(bitcoin) * year))
            #expect((0.4...1.2).contains(Self.deviation(ether) * year))
            #expect((0.5...1.5).contains(Self.deviation(dogecoin) * year))
            #expect((0.75...0.98).contains(Self.correlation(bitcoin, ether)))
            #expect((0.4...0.92).contains(Self.correlation(bitcoin, dogecoin)))
            let fourth = Self.mean(bitcoin.map { $0 * $0 * $0 * $0 })
            let kurtosis =
                fourth / Self.deviation(bitcoin) / Self.deviation(bitcoin)
                / Self.deviation(bitcoin) / Self.deviation(bitcoin)
            #expect(kurtosis > 3.5, "a normal distribution's is 3, it is \(kurtosis)")
            let sizes = bitcoin.map(abs)
            clustering += Self.correlation(Array(sizes.dropFirst()), Array(sizes.dropLast())) / 4
        }
        #expect(clustering > 0.08, "days' sizes have nothing to do with each other: \(clustering)")
    }

    @Test("a dollar stays a dollar, and a pair is its two assets")
    func pairs() throws {
        var model = PriceModel(seed: 1)
        var (dollar, ether) = (try Self.path("USDC", &model), try Self.path("ETH", &model))
        var (bitcoin, pair) = (try Self.path("BTC", &model), try Self.path("ETH", in: "BTC", &model))
        for day in stride(from: Self.today - 700, to: Self.today, by: 50) {
            let time = Self.time(day, 12_345)
            #expect(abs(dollar.units(at: time, in: &model) - 1_000_000) < 1_500)
            let one = Double(ether.units(at: time, in: &model)) / Double(bitcoin.units(at: time, in: &model))
            let other = Double(pair.units(at: time, in: &model)) / 1_000_000
            #expect(abs(one / other - 1) < 0.003)
        }
    }
}
