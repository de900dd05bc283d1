import Alerting
import Foundation
import Instruments
import MarketData
import Support

/// The alert engine at 10^3 to 10^7 armed price rules on 1,000 instruments, on one core.
enum AlertBench {
    private static let instruments = 1_000
    private static let counts = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]

    static func run() throws -> [Measurement] {
        var rows: [Measurement] = []
        for count in counts { rows += try measure(count) }
        return rows
    }

    private static func measure(_ count: Int) throws -> [Measurement] {
        let memory = ProcessMemory().privateBytes
        let started = seconds()
        var armed = try ArmedEngine(rules: count, instruments: instruments)
        let building = seconds() - started
        let bytes = (ProcessMemory().privateBytes - memory) / Double(count)
        let quiet = median { armed.quietTicks() }
        let passing = median { armed.passingTicks() }
        let firing = median { armed.firings() }
        let name = "alerts, \(grouped(count)) rules"
        let scan = count <= 1_000_000 ? median { scanned(count / instruments) } : nil
        var rows = [
            Measurement(
                "\(name): tick that fires nothing", "ns", quiet, goal: "150 ns", meets: quiet <= 150,
                baseline: scan == nil ? "" : "every rule of the instrument looked at", baselineValue: scan),
            Measurement(
                "\(name): ticks a second", "/s", 1e9 / quiet, goal: "-", meets: nil),
            Measurement(
                "\(name): tick that passes a level and fires nothing", "ns", passing, goal: "-", meets: nil),
            Measurement("\(name): tick that fires", "ns", firing, goal: "-", meets: nil),
            Measurement(
                "\(name): start", "s", building, goal: "60 s for 10,000,000", meets: building <= 60),
        ]
        // Of fewer rules, what the instruments themselves need is most of it.
        if count >= 100_000 {
            rows.append(
                Measurement("\(name): memory of a rule", "B", bytes, goal: "100 B", meets: bytes <= 100))
        }
        return rows
    }

    private static func grouped(_ count: Int) -> String {
        var text = String(count)
        var place = text.count - 3
        while place > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
            place -= 3
        }
        return text
    }

    /// What a plain implementation does: compares the price with each rule of the instrument.
    private static func scanned(_ rules: Int) -> Double {
        let levels = (0..<max(1, rules)).map { Int64($0) * 7 + 1_100_000 }
        let ticks = max(1_000, 20_000_000 / levels.count)
        var previous: Int64 = 1_000_000
        var fired = 0
        let started = seconds()
        for tick in 0..<ticks {
            let price = 1_000_000 + Int64(tick % 97)
            for level in levels where previous < level && level <= price { fired += 1 }
            previous = price
        }
        let elapsed = seconds() - started
        return fired > 0 ? 0 : elapsed / Double(ticks) * 1e9
    }
}

/// An engine full of rules, and prices that move among them.
private struct ArmedEngine {
    private static let start: Int64 = 1_000_000
    private static let ticks = 1_000_000

    private var engine = AlertEngine()
    private var markets: [MarketHandle] = []
    private var trade: Trade
    private var outputs: [AlertOutput] = []
    private var time: Int64 = 1_700_000_000_000_000_000
    /// Which instrument and which step: made before, so that only the engine is measured.
    private var path: [(market: Int, step: Int64)] = []

    init(rules count: Int, instruments: Int) throws {
        let scale = Scale(2) ?? .zero
        trade = Trade(
            id: "1", side: .buy, price: Price(ArmedEngine.start), size: Quantity(1), priceScale: scale,
            sizeScale: .zero, venueTime: .zero, receivedTime: .zero)
        var mixed = UInt64(42)
        func random() -> UInt64 { ArmedEngine.mix(&mixed) }
        var ids: [InstrumentID] = []
        for number in 0..<instruments {
            ids.append(InstrumentID(venue: .binance, symbol: "S\(number)"))
            markets.append(engine.market(ids[number]))
            engine.prove(.trades, of: markets[number], at: .zero, into: &outputs)
        }
        let all = ids
        // Made one by one as they are entered, so that nothing but the engine holds them.
        let rules = (0..<count).lazy.map { ArmedEngine.rule($0, of: all[$0 % instruments], scale) }
        engine.load(rules, into: &outputs) { _, error in preconditionFailure("\(error)") }
        // One level in reach of each instrument: it fires without rest, and one that never may.
        for (number, id) in ids.enumerated() {
            try addNear(id, "f\(number)", cooldown: 0, at: ArmedEngine.start + 4_100)
            try addNear(id, "c\(number)", cooldown: Repetition.hour * 24 * 365, at: ArmedEngine.start - 4_100)
        }
        path = (0..<ArmedEngine.ticks).map { _ in
            (Int(random() % UInt64(instruments)), Int64(random() % 4_000) - 2_000)
        }
        for market in markets.indices { play(market, 0) }
        // The resting rules fire once and then rest.
        for market in markets.indices { for step: Int64 in [-4_000, -4_200, 0] { play(market, step) } }
        outputs.removeAll()
    }

    private static func mix(_ state: inout UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    private static func rule(_ number: Int, of instrument: InstrumentID, _ scale: Scale) -> AlertRule {
        var seed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        _ = mix(&seed)
        // From half a percent to half of the price away, as many above as below.
        let distance = 5_000 + Int64(mix(&seed) % 495_000)
        let isAbove = mix(&seed) % 2 == 0
        var rule = AlertRule(
            id: RuleID(uuid: mix(&seed) << 32 | mix(&seed), UInt64(number)), instrument: instrument,
            condition: .crosses(
                .last, isAbove ? .above : .below,
                level: DecimalNumber(units: start + (isAbove ? distance : -distance), scale: scale)))
        rule.repetition = .recurring(
            cooldown: Repetition.hour, hysteresis: DecimalNumber(units: 10, scale: .zero))
        return rule
    }

    private mutating func addNear(_ id: InstrumentID, _ name: String, cooldown: Int64, at level: Int64) throws
    {
        guard let ruleID = RuleID(name) else { return }
        var rule = AlertRule(
            id: ruleID, instrument: id,
            condition: .crosses(
                .last, .either, level: DecimalNumber(units: level, scale: trade.priceScale)))
        rule.repetition = .recurring(cooldown: cooldown, hysteresis: DecimalNumber(units: 0, scale: .zero))
        try engine.add(rule, into: &outputs)
    }

    @inline(__always)
    private mutating func play(_ market: Int, _ step: Int64) {
        time += 1_000
        trade.price = Price(ArmedEngine.start + step)
        trade.venueTime = Timestamp(nanoseconds: time)
        engine.trade(trade, of: markets[market], into: &outputs)
    }

    /// Prices within 0.2 % of the start, where no level is.
    mutating func quietTicks() -> Double {
        let started = seconds()
        for (market, step) in path { play(market, step) }
        let elapsed = seconds() - started
        return outputs.isEmpty ? elapsed / Double(path.count) * 1e9 : .infinity
    }

    /// Prices that pass the level of a rule that rests, back and forth.
    mutating func passingTicks() -> Double {
        let count = path.count / 10
        let started = seconds()
        for index in 0..<count { play(path[index / 2].market, index % 2 == 0 ? -4_200 : -4_000) }
        let elapsed = seconds() - started
        for market in markets.indices { play(market, 0) }
        defer { outputs.removeAll() }
        return outputs.isEmpty ? elapsed / Double(count) * 1e9 : .infinity
    }

    /// Prices that fire one rule each.
    mutating func firings() -> Double {
        let count = path.count / 10
        let started = seconds()
        for index in 0..<count {
            play(path[index / 2].market, index % 2 == 0 ? 4_200 : 4_000)
            if outputs.count > 1_000 { outputs.removeAll(keepingCapacity: true) }
        }
        let elapsed = seconds() - started
        for market in markets.indices { play(market, 0) }
        outputs.removeAll()
        return elapsed / Double(count) * 1e9
    }
}
