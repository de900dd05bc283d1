import Alerting
import Instruments
import MarketData
import Support
import Testing

/// A rule whose level is passed as often as a test likes, in an engine with bounds.
private struct Storm {
    static let id = InstrumentID(venue: .binance, symbol: "BTCUSDT")

    let rule: AlertRule
    let limits: AlertLimits
    private(set) var engine: AlertEngine
    private(set) var market: MarketHandle
    var outputs: [AlertOutput] = []

    init(perHour: Int, least: Int64 = 0, _ more: String = "") throws {
        var limits = AlertLimits()
        (limits.firingsPerHour, limits.leastCooldown) = (perHour, least)
        self.limits = limits
        rule = try AlertRule(
            json: OneMarket.whole(
                "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"},"
                    + "\"repeat\":{\"cooldown\":\"0s\"}" + more))
        engine = AlertEngine(limits: limits)
        market = engine.market(Self.id)
        engine.prove(.trades, of: market, at: .zero, into: &outputs)
        try engine.add(rule, into: &outputs)
    }

    /// The price falls below the level and passes it, all at a time.
    mutating func cross(at time: Int64) {
        for price in [Int64(99), 101] {
            let trade = Trade(
                id: "t", side: .buy, price: Price(price), size: Quantity(1), priceScale: .zero,
                sizeScale: .zero, venueTime: Timestamp(nanoseconds: time),
                receivedTime: Timestamp(nanoseconds: time))
            engine.trade(trade, of: market, into: &outputs)
        }
    }

    mutating func advance(to time: Int64) {
        engine.advance(market, to: Timestamp(nanoseconds: time), into: &outputs)
    }

    /// Goes on in a new engine from the bytes that are stored of this one.
    mutating func restart() throws {
        let state = try EngineState(bytes: engine.state().bytes)
        var fresh = AlertEngine(limits: limits)
        var ignored: [AlertOutput] = []
        market = fresh.market(Self.id)
        try fresh.add(rule, into: &ignored)
        fresh.restore(state)
        engine = fresh
    }

    var fired: [Int64] {
        outputs.compactMap { if case .fired(let firing) = $0 { firing.venueTime.nanoseconds } else { nil } }
    }

    var quieted: [QuietPeriod] {
        outputs.compactMap { if case .quieted(_, let period) = $0 { period } else { nil } }
    }

    var ended: [QuietPeriod] {
        outputs.compactMap { if case .quietEnded(_, let period) = $0 { period } else { nil } }
    }
}

@Suite("A rule that fires too often")
struct FiringPaceTests {
    private static let second: Int64 = 1_000_000_000
    private static let hour = 3_600 * second
    private static let start: Int64 = 1_700_000_000 * second

    /// Crossings close together and far apart, with looks at the clock and restarts between.
    private static func play(
        _ storm: inout Storm, _ steps: [Int64], _ generator: inout SeededGenerator
    ) throws -> Int64 {
        var time = start
        for step in steps {
            time += step
            if generator.chance(20) { storm.advance(to: time) }
            if generator.chance(10) { try storm.restart() }
            storm.cross(at: time)
        }
        return time
    }

    private static func steps(_ generator: inout SeededGenerator) -> [Int64] {
        let choices = [0, 1, 1, 1, 59, 60, 61, 600, 1_799, 1_800, 3_599, 3_600].map { Int64($0) * second }
        return (0..<generator.int(1...200)).map { _ in generator.pick(choices) }
    }

    @Test("fires at most so many times in any hour, and counts what it leaves out")
    func bound() {
        property(cases: 200) { generator in
            let limit = generator.int(1...6)
            var (bounded, free) = (try Storm(perHour: limit), try Storm(perHour: 0))
            let steps = Self.steps(&generator)
            let last = try Self.play(&bounded, steps, &generator)
            bounded.advance(to: last + 2 * Self.hour)
            _ = try Self.play(&free, steps, &generator)
            let fired = bounded.fired
            for (first, next) in zip(fired, fired.dropFirst(limit)) where next - first < Self.hour {
                throw PropertyFailure("\(limit + 1) firings from \(first) to \(next)")
            }
            let leftOut = bounded.ended.reduce(0) { $0 + $1.leftOut }
            guard Int64(fired.count) + leftOut == Int64(free.fired.count) else {
                throw PropertyFailure("\(fired.count) and \(leftOut) are not \(free.fired.count)")
            }
        }
    }

    @Test("says once that it is quiet, and once that it is no longer, however often it is restarted")
    func notices() {
        property(cases: 200) { generator in
            var storm = try Storm(perHour: generator.int(1...6))
            let last = try Self.play(&storm, Self.steps(&generator), &generator)
            storm.advance(to: last + 2 * Self.hour)
            let (begun, ended) = (storm.quieted, storm.ended)
            guard begun.map(\.since) == ended.map(\.since), ended.allSatisfy({ $0.leftOut > 0 }) else {
                throw PropertyFailure("begun \(begun), ended \(ended)")
            }
            for (earlier, later) in zip(ended, begun.dropFirst()) where later.since < earlier.until {
                throw PropertyFailure("\(later) begins within \(earlier)")
            }
            for time in storm.fired {
                let within = ended.contains {
                    $0.since.nanoseconds < time && time < $0.until.nanoseconds
                }
                if within { throw PropertyFailure("fired at \(time), in \(ended)") }
            }
        }
    }

    @Test("decides the same again from an earlier state")
    func again() throws {
        property(cases: 100) { generator in
            var storm = try Storm(perHour: generator.int(1...4))
            let steps = Self.steps(&generator)
            var time = Self.start
            for step in steps.prefix(steps.count / 2) {
                time += step
                storm.cross(at: time)
            }
            var copy = storm
            try copy.restart()
            for step in steps.dropFirst(steps.count / 2) {
                time += step
                storm.cross(at: time)
                copy.cross(at: time)
            }
            guard storm.outputs == copy.outputs else {
                throw PropertyFailure("\(storm.outputs) is not \(copy.outputs)")
            }
        }
    }

    @Test("a little is not quieted again and again")
    func steady() throws {
        var storm = try Storm(perHour: 60)
        for number in Int64(0)..<610 { storm.cross(at: Self.start + number * 59 * Self.second) }
        #expect((1...8).contains(storm.quieted.count), "\(storm.quieted.count)")
        var slower = try Storm(perHour: 60)
        for number in Int64(0)..<610 { slower.cross(at: Self.start + number * 60 * Self.second) }
        #expect(slower.quieted.isEmpty && slower.fired.count == 610)
    }

    @Test("says until when, and how many were left out as soon as it is over")
    func period() throws {
        var storm = try Storm(perHour: 3)
        for number in Int64(0)..<10 { storm.cross(at: Self.start + number * Self.second) }
        let since = Timestamp(nanoseconds: Self.start + 3 * Self.second)
        // The second of three leaves the hour then.
        let until = Timestamp(nanoseconds: Self.start + Self.second + Self.hour)
        #expect(storm.quieted == [QuietPeriod(since: since, until: until, limit: 3)])
        storm.advance(to: until.nanoseconds - 1)
        #expect(storm.ended == [])
        storm.advance(to: until.nanoseconds)
        #expect(storm.ended == [QuietPeriod(since: since, until: until, limit: 3, leftOut: 7)])
        storm.cross(at: until.nanoseconds)
        #expect(storm.fired.count == 4 && storm.quieted.count == 1)
    }

    @Test("is explained with until when and how many")
    func explained() throws {
        var storm = try Storm(perHour: 1)
        for number in Int64(0)..<3 { storm.cross(at: Self.start + number * Self.second) }
        let explanation = try #require(storm.engine.explain(storm.rule.id))
        #expect(explanation.quiet?.leftOut == 2 && explanation.lastFired?.nanoseconds == Self.start)
        guard case .quieted(let until)? = explanation.evaluations.last?.outcome else {
            Issue.record("\(explanation.evaluations)")
            return
        }
        #expect(until == explanation.quiet?.until)
    }

    @Test("whose time is over says how many were left out before that")
    func expires() throws {
        let end = Timestamp(nanoseconds: Self.start + 60 * Self.second)
        var storm = try Storm(perHour: 1, ",\"expires\":\"\(end.iso8601)\"")
        for number in Int64(0)..<3 { storm.cross(at: Self.start + number * Self.second) }
        storm.cross(at: end.nanoseconds)
        #expect(storm.ended.map(\.leftOut) == [2] && storm.ended.map(\.until) == [end])
        #expect(storm.outputs.last == .expired(storm.rule.id, at: end))
    }

    @Test("has the least cooldown where its own is shorter")
    func leastCooldown() throws {
        var storm = try Storm(perHour: 0, least: Self.second)
        for half in Int64(0)..<5 { storm.cross(at: Self.start + half * Self.second / 2) }
        #expect(storm.fired == [0, 1, 2].map { Self.start + $0 * Self.second })
        #expect(!storm.rule.cools(for: Self.second) && storm.rule.cools(for: 0))
        #expect(
            storm.rule.cooldownFault(least: Self.second)?.description
                == "field \"repeat.cooldown\" is \"0s\": accepted is 1s or more")
    }
}
