import Alerting
import Instruments
import MarketData
import Support
import Testing

/// A market, rules and accidents at random, told to the engine and to the model.
private struct AlertSimulation {
    let id = InstrumentID(venue: .binance, symbol: "BTCUSDT")
    var engine = AlertEngine()
    var model = NaiveAlerts()
    var rules: [String: AlertRule] = [:]
    var outputs: [AlertOutput] = []
    var time: Int64 = 1_700_000_000_000_000_000
    /// At 2 places.
    var price: Int64 = 10_000
    var count = 0
    var log: [String] = []

    static let east = ZoneOffsets(name: "Test/East", spans: [.init(from: .zero, seconds: 7_200)])
    static let interval: Int64 = 1_000_000_000

    init() { engine.resolve(AlertSimulation.east) }

    mutating func step(_ generator: inout SeededGenerator) throws {
        count += 1
        time += Int64(generator.pick([0, 1, 1_000_000, 500_000_000, 1_000_000_000, 3_000_000_000]))
        if generator.chance(1) { time += 3_600_000_000_000 }
        switch generator.int(0...99) {
        case 0..<50: trade(&generator)
        case 50..<70: quote(&generator)
        case 70..<75: candle(&generator)
        case 75..<84: addRule(&generator)
        case 84..<86: removeRule(&generator)
        case 86..<87: replaceRule(&generator)
        case 87..<90: gap(.trades, &generator)
        case 90..<92: gap(.book, &generator)
        case 92..<95: try restart()
        default: advance()
        }
        try compare(&generator)
    }

    // MARK: - Events

    private mutating func move(_ generator: inout SeededGenerator) {
        price += Int64(generator.pick([0, 0, 1, -1, 3, -3, 10, -10, 50, -50, 200, -200]))
        price = min(max(price, 9_000), 11_000)
    }

    /// The price at another scale where that is exact.
    private func written(_ generator: inout SeededGenerator) -> DecimalNumber {
        let number = DecimalNumber(units: price, scale: Scale(2) ?? .zero)
        if generator.chance(90) { return number }
        return generator.chance(50)
            ? number.normalized : (try? number.rescaled(to: Scale(4) ?? .zero)) ?? number
    }

    private mutating func makeTrade(_ generator: inout SeededGenerator) -> Trade {
        move(&generator)
        let number = written(&generator)
        return Trade(
            id: generator.chance(90) ? "\(count)" : "~\(count)", side: generator.pick(Side.allCases),
            price: Price(number.units), size: Quantity(Int64(generator.int(1...300))),
            priceScale: number.scale,
            sizeScale: Scale(1) ?? .zero, venueTime: Timestamp(nanoseconds: time),
            receivedTime: Timestamp(nanoseconds: time + 5))
    }

    private mutating func trade(_ generator: inout SeededGenerator) {
        let market = engine.market(id)
        let trade = makeTrade(&generator)
        log.append("trade \(trade.price.decimal(trade.priceScale)) at \(time)")
        engine.trade(trade, of: market, into: &outputs)
        guard !model.unproven.contains(.trades) else { return }
        show(trade, late: 0)
    }

    private mutating func show(_ trade: Trade, late: Int64) {
        let id = id
        let moment = NaiveAlerts.Moment(
            time: trade.venueTime.nanoseconds, late: late, tradeID: trade.hasDerivedID ? nil : trade.id)
        model.see(.price(id, .last), trade.price.decimal(trade.priceScale), moment)
        model.watchTrade(id, trade, moment)
    }

    private mutating func quote(_ generator: inout SeededGenerator) {
        move(&generator)
        let market = engine.market(id)
        let spread = Int64(generator.int(1...8))
        func side(_ best: Int64, _ step: Int64) -> [BookLevel] {
            (0..<Int64(generator.int(1...4))).map {
                BookLevel(price: Price(best + $0 * step), size: Quantity(Int64(generator.int(1...50))))
            }
        }
        let bids = side(price, -1)
        let asks = side(price + spread, 1)
        let hasAsk = generator.chance(95)
        let quote = BookQuote(
            bid: bids[0], ask: hasAsk ? asks[0] : nil, bids: bids, asks: hasAsk ? asks : [],
            priceScale: Scale(2) ?? .zero, sizeScale: .zero,
            venueTime: generator.chance(80) ? Timestamp(nanoseconds: time) : nil,
            receivedTime: Timestamp(nanoseconds: time))
        log.append("quote \(price) + \(spread) at \(time)")
        engine.quote(quote, of: market, into: &outputs)
        guard !model.unproven.contains(.book) else { return }
        let moment = NaiveAlerts.Moment(time: time)
        let scale = Scale(2) ?? .zero
        model.see(.price(id, .bid), DecimalNumber(units: price, scale: scale), moment)
        if hasAsk {
            model.see(.price(id, .ask), DecimalNumber(units: price + spread, scale: scale), moment)
            let mid = DecimalNumber(units: (2 * price + spread) * 5, scale: Scale(3) ?? .zero)
            model.see(.price(id, .mid), mid, moment)
            model.see(.spread(id), DecimalNumber(units: spread, scale: scale), moment)
        }
        model.watchBook(id, quote, moment)
    }

    private mutating func candle(_ generator: inout SeededGenerator) {
        move(&generator)
        let start = (time / AlertSimulation.interval - 1) * AlertSimulation.interval
        let market = engine.market(id)
        log.append("close \(price) of \(start)")
        engine.close(
            ClosedCandle(
                interval: AlertSimulation.interval, start: Timestamp(nanoseconds: start), close: Price(price),
                priceScale: Scale(2) ?? .zero, receivedTime: Timestamp(nanoseconds: time)),
            of: market, into: &outputs)
        guard !model.unproven.contains(.trades) else { return }
        model.see(
            .close(id, interval: AlertSimulation.interval),
            DecimalNumber(units: price, scale: Scale(2) ?? .zero),
            NaiveAlerts.Moment(time: start + AlertSimulation.interval))
    }

    // MARK: - Accidents

    private mutating func gap(_ source: AlertSource, _ generator: inout SeededGenerator) {
        let market = engine.market(id)
        guard model.unproven.contains(source) else {
            log.append("doubt \(source)")
            engine.doubt(
                source, of: market, at: Timestamp(nanoseconds: time), because: "test", into: &outputs)
            model.unproven.insert(source)
            return
        }
        var isComplete = false
        if source == .trades {
            switch generator.int(0...2) {
            case 0:
                isComplete = true
                for _ in 0..<generator.int(0...4) { missTrade(&generator) }
            case 1: missRange(&generator)
            default: break
            }
        }
        log.append("prove \(source) \(isComplete)")
        engine.prove(
            source, of: market, at: Timestamp(nanoseconds: time), isComplete: isComplete, into: &outputs)
        model.unproven.remove(source)
        if !isComplete { model.forget(source, of: id) }
    }

    private mutating func missTrade(_ generator: inout SeededGenerator) {
        let trade = makeTrade(&generator)
        let late = Int64(generator.int(1...1_000_000_000))
        log.append("missed \(trade.price.decimal(trade.priceScale)) at \(time)")
        let came = trade.isBackfill ? trade.venueTime : trade.receivedTime
        engine.missed(
            trade, found: came.adding(nanoseconds: late), of: engine.market(id), into: &outputs)
        show(trade, late: late)
        time += 1_000_000
    }

    private mutating func missRange(_ generator: inout SeededGenerator) {
        let low = price - Int64(generator.int(0...100))
        let high = price + Int64(generator.int(0...100))
        let close = Int64(generator.int(Int(low)...Int(high)))
        let scale = Scale(2) ?? .zero
        let key = SeriesKey.price(id, .last)
        log.append("range \(low) \(high) \(close) at \(time)")
        engine.missed(
            MissedRange(
                high: high, low: low, close: close, scale: scale, until: Timestamp(nanoseconds: time),
                found: Timestamp(nanoseconds: time + 7)),
            of: key, into: &outputs)
        // A series that no rule ever looked at does not learn from ranges.
        guard isKnown else { return }
        let moment = NaiveAlerts.Moment(time: time, late: 7)
        if let last = model.values[key] {
            let isHigher = Amount(units: close, places: 2) >= last
            for value in isHigher ? [low, high] : [high, low] {
                model.see(key, DecimalNumber(units: value, scale: scale), moment, endsHolding: false)
            }
        }
        model.see(key, DecimalNumber(units: close, scale: scale), moment, endsHolding: false)
        model.passTime(key, to: moment)
    }

    /// Whether a rule ever looked at the last price.
    private var isKnown: Bool { known.contains(.price(id, .last)) }
    private var known: Set<SeriesKey> = []

    private mutating func restart() throws {
        log.append("restart")
        // Through the bytes that are stored.
        let state = try EngineState(bytes: engine.state().bytes)
        var fresh = AlertEngine()
        fresh.resolve(AlertSimulation.east)
        var ignored: [AlertOutput] = []
        for rule in rules.values {
            do throws(AlertEngineError) { try fresh.add(rule, into: &ignored) } catch {
                log.append("\(error)")
            }
        }
        fresh.restore(state)
        engine = fresh
        // A series that has neither a value nor a rule is forgotten.
        model.follow(known)
        known = known.intersection(model.values.keys)
        for rule in rules.values { learn(rule) }
    }

    private mutating func advance() {
        log.append("advance \(time)")
        engine.advance(to: Timestamp(nanoseconds: time), into: &outputs)
        for key in Set(model.entries.values.compactMap(\.key)) {
            let isTrades = key == .price(id, .last) || key == .close(id, interval: AlertSimulation.interval)
            guard !model.unproven.contains(isTrades ? .trades : .book) else { continue }
            model.passTime(key, to: NaiveAlerts.Moment(time: time))
        }
        model.endExpired(at: time)
        for entry in model.entries.values where entry.isDone {
            #expect(engine.isArmed(entry.rule.id) == false, "\(entry.rule.json) at \(time)")
        }
    }

    // MARK: - Rules

    private mutating func addRule(_ generator: inout SeededGenerator) {
        let name = "r\(generator.int(0...999))"
        let rule = RandomRule.make(name, id, around: price, at: time, &generator)
        log.append("add \(rule.json)")
        do throws(AlertEngineError) {
            try engine.add(rule, at: Timestamp(nanoseconds: time), into: &outputs)
        } catch {
            return
        }
        note(rule)
        model.add(rule, at: time)
    }

    private mutating func note(_ rule: AlertRule) {
        rules[rule.id.description] = rule
        model.follow(known)
        learn(rule)
    }

    private mutating func learn(_ rule: AlertRule) {
        if let key = NaiveAlerts.key(rule) { known.insert(key) }
        if case .change(let change) = rule.condition.decision { known.insert(.price(id, change.price)) }
    }

    private mutating func removeRule(_ generator: inout SeededGenerator) {
        guard let name = rules.keys.sorted().randomElement(using: &generator), let id = RuleID(name) else {
            return
        }
        log.append("remove \(name)")
        engine.remove(id)
        rules[name] = nil
        model.entries[name] = nil
    }

    private mutating func replaceRule(_ generator: inout SeededGenerator) {
        guard let name = rules.keys.sorted().randomElement(using: &generator) else { return }
        let rule = RandomRule.make(name, id, around: price, at: time, &generator)
        log.append("replace \(rule.json)")
        do throws(AlertEngineError) {
            try engine.replace(rule, at: Timestamp(nanoseconds: time), into: &outputs)
        } catch {
            return
        }
        let epoch = model.entries[name]?.epoch ?? 0
        note(rule)
        model.add(rule, epoch: epoch, at: time)
    }

    // MARK: - Comparison

    private mutating func compare(_ generator: inout SeededGenerator) throws {
        for output in outputs { generator.note("\(output)") }
        let difference = model.difference(from: outputs)
        outputs.removeAll()
        guard let difference else { return }
        throw PropertyFailure("step \(count): \(difference)\n\(log.suffix(60).joined(separator: "\n"))")
    }
}

extension NaiveAlerts {
    /// The engine learns values only of series that a rule looks at; so does the model.
    mutating func follow(_ keys: Set<SeriesKey>) {
        values = values.filter { keys.contains($0.key) }
    }
}

@Suite("Alert engine against a naive model")
struct AlertModelTests {
    /// The markets, rules, gaps, restarts and edits of a seed give identical firings.
    @Test("fires what a look at every rule at every tick fires, nothing else, in the same order")
    func model() {
        let past: [UInt64] = [49, 63, 76, 306, 680, 787, 1_322, 1_631, 1_863, 6_904]
        property(cases: 200, pastFailures: past) { generator in
            var simulation = AlertSimulation()
            for _ in 0..<generator.int(50...300) { try simulation.step(&generator) }
        }
    }
}
