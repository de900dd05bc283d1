import Alerting
import Instruments
import MarketData
import Support
import Testing

/// A market whose values have 0 to 18 decimal places in any order, and as many digits as fit.
private struct WideNumberSimulation {
    let id = InstrumentID(venue: .binance, symbol: "BTCUSDT")
    let market: MarketHandle
    var engine = AlertEngine()
    var model = NaiveAlerts()
    var rules: [String: AlertRule] = [:]
    var known: Set<SeriesKey> = []
    var outputs: [AlertOutput] = []
    var time: Int64 = 1_700_000_000_000_000_000
    var log: [String] = []

    init() {
        market = engine.market(id)
        prove()
        model.unproven = []
    }

    private mutating func prove() {
        for source in AlertSource.allCases {
            engine.prove(source, of: engine.market(id), at: .zero, into: &outputs)
        }
        outputs.removeAll()
    }

    private var now: Timestamp { Timestamp(nanoseconds: time) }

    mutating func step(_ generator: inout SeededGenerator) throws {
        time += Int64(generator.pick([0, 1, 500_000_000, 1_000_000_000, 30_000_000_000]))
        switch generator.int(0...99) {
        case 0..<45: trade(&generator)
        case 45..<65: quote(&generator)
        case 65..<70: close(&generator)
        case 70..<75: missRange(&generator)
        case 75..<92: addRule(&generator)
        case 92..<95: removeRule(&generator)
        default: try restart()
        }
        let difference = model.difference(from: outputs)
        outputs.removeAll()
        guard let difference else { return }
        throw PropertyFailure("\(difference)\n\(log.suffix(40).joined(separator: "\n"))")
    }

    // MARK: - Numbers

    private static let sizes: [DecimalNumber] = [
        DecimalNumber(units: 1, scale: .maximum), DecimalNumber(units: 5, scale: Scale(1) ?? .zero),
        DecimalNumber(units: 9_223_372_036_854_775_800, scale: .maximum),
        DecimalNumber(units: 92_233, scale: .zero), DecimalNumber(units: 60_000, scale: .zero),
        DecimalNumber(units: 100_000, scale: .zero), DecimalNumber(units: 9_223_372_036, scale: .zero),
        DecimalNumber(units: 9_223_372_036_854_775_000, scale: .zero),
    ]

    /// A number above zero near to one of a few, of as many places as fit, or without zeros at the end.
    private func number(_ generator: inout SeededGenerator) -> DecimalNumber {
        let about = generator.pick(WideNumberSimulation.sizes)
        var places = generator.int(0...18)
        var number = about
        while places > about.scale.places {
            if let finer = Scale(places), let same = try? about.rescaled(to: finer) {
                number = same
                break
            }
            places -= 1
        }
        let digits = Int64(generator.next() % UInt64(generator.pick([2, 2, 3, 100, 1_000_000])))
        let (sum, overflow) = number.units.addingReportingOverflow(generator.chance(50) ? digits : -digits)
        number = DecimalNumber(units: overflow ? .max : max(1, sum), scale: number.scale)
        return generator.chance(50) ? number.normalized : number
    }

    // MARK: - Events

    private mutating func trade(_ generator: inout SeededGenerator) {
        let (price, size) = (number(&generator), number(&generator))
        log.append("trade \(price) of \(size) at \(time)")
        let trade = Trade(
            id: "\(time)", side: .buy, price: Price(price.units), size: Quantity(size.units),
            priceScale: price.scale, sizeScale: size.scale, venueTime: now, receivedTime: now)
        engine.trade(trade, of: market, into: &outputs)
        let moment = NaiveAlerts.Moment(time: time, tradeID: trade.id)
        model.see(.price(id, .last), price, moment)
        model.watchTrade(id, trade, moment)
    }

    private mutating func quote(_ generator: inout SeededGenerator) {
        var bid = number(&generator)
        if generator.chance(10) { bid = DecimalNumber(units: -bid.units, scale: bid.scale) }
        let more = Int64(generator.pick([0, 1, 2, 1_000, .max]))
        let (sum, overflow) = bid.units.addingReportingOverflow(more)
        let ask = DecimalNumber(units: overflow ? .max : sum, scale: bid.scale)
        log.append("quote \(bid) \(ask) at \(time)")
        let one = Quantity(1)
        engine.quote(
            BookQuote(
                bid: BookLevel(price: Price(bid.units), size: one),
                ask: BookLevel(price: Price(ask.units), size: one), priceScale: bid.scale, sizeScale: .zero,
                venueTime: now, receivedTime: now),
            of: market, into: &outputs)
        let moment = NaiveAlerts.Moment(time: time)
        let middle = (Amount(bid) + Amount(ask)) * Amount(units: 5, places: 1)
        model.see(.price(id, .bid), bid, moment)
        model.see(.price(id, .ask), ask, moment)
        model.see(.price(id, .mid), middle, moment)
        model.see(.spread(id), Amount(ask) - Amount(bid), moment)
        for (kind, price) in [(PriceKind.bid, Amount(bid)), (.ask, Amount(ask)), (.mid, middle)] {
            model.watchPrice(id, kind, price, moment)
        }
    }

    private mutating func close(_ generator: inout SeededGenerator) {
        let price = number(&generator)
        log.append("close \(price) at \(time)")
        let interval: Int64 = 1_000_000_000
        engine.close(
            ClosedCandle(
                interval: interval, start: now.adding(nanoseconds: -interval), close: Price(price.units),
                priceScale: price.scale, receivedTime: now),
            of: market, into: &outputs)
        model.see(.close(id, interval: interval), price, NaiveAlerts.Moment(time: time))
    }

    private mutating func missRange(_ generator: inout SeededGenerator) {
        let key = SeriesKey.price(id, .last)
        let (first, second) = (number(&generator), number(&generator))
        guard known.contains(key), let other = try? second.rescaled(to: first.scale) else { return }
        let (low, high) = (min(first.units, other.units), max(first.units, other.units))
        let close = generator.pick([low, high])
        log.append("range \(first) \(other) close \(close) at \(time)")
        engine.missed(
            MissedRange(
                high: high, low: low, close: close, scale: first.scale, until: now,
                found: now.adding(nanoseconds: 7)),
            of: key, into: &outputs)
        let moment = NaiveAlerts.Moment(time: time, late: 7)
        var way = [close]
        if let last = model.values[key] {
            way = Amount(units: close, places: first.scale.places) >= last ? [low, high] : [high, low]
            way.append(close)
        }
        for units in way {
            model.see(key, DecimalNumber(units: units, scale: first.scale), moment, endsHolding: false)
        }
        model.passTime(key, to: moment)
    }

    private mutating func restart() throws {
        log.append("restart")
        let state = try EngineState(bytes: engine.state().bytes)
        engine = AlertEngine()
        _ = engine.market(id)
        prove()
        for rule in rules.values { try engine.add(rule, into: &outputs) }
        outputs.removeAll()
        engine.restore(state)
        model.follow(known)
        known = known.intersection(model.values.keys)
        for rule in rules.values { learn(rule) }
    }

    // MARK: - Rules

    private mutating func addRule(_ generator: inout SeededGenerator) {
        guard rules.count < 20, let name = RuleID("r\(generator.int(0...999))"), rules["\(name)"] == nil
        else { return }
        var rule = AlertRule(id: name, instrument: id, condition: condition(&generator))
        if generator.chance(80) {
            let back = rule.condition.hasLevel && generator.chance(50)
            rule.repetition = .recurring(
                cooldown: generator.pick([0, 1_000_000_000]),
                hysteresis: back ? number(&generator) : DecimalNumber(units: 0, scale: .zero))
        }
        if rule.condition.hasLevel {
            rule.whenAlready = generator.chance(20)
            if generator.chance(20) { rule.sustain = 1_000_000_000 }
        }
        log.append("add \(rule.json)")
        do throws(AlertEngineError) {
            try engine.add(rule, at: now, into: &outputs)
        } catch {
            return log.append("\(error)")
        }
        rules["\(name)"] = rule
        model.follow(known)
        learn(rule)
        model.add(rule, at: time)
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

    private func condition(_ generator: inout SeededGenerator) -> AlertCondition {
        let kind = generator.pick([PriceKind.last, .last, .bid, .ask, .mid, .mid])
        let way = generator.pick(CrossingDirection.allCases)
        let level = number(&generator)
        switch generator.int(0...9) {
        case 0..<4: return .crosses(kind, way, level: level)
        case 4:
            let other = number(&generator)
            return .leaves(kind, low: min(level, other), high: max(level, other))
        case 5: return .spread(above: level)
        case 6: return .candle(interval: 1_000_000_000, way, level: level)
        case 7: return .volume(.above(level, within: 60_000_000_000))
        case 8:
            let percent = DecimalNumber(units: Int64(generator.int(1...100_000)), scale: Scale(4) ?? .zero)
            return .change(
                change(kind, generator.chance(50) ? .percent(percent) : .amount(level), &generator))
        default:
            let times = DecimalNumber(units: Int64(generator.int(1...20_000)), scale: Scale(4) ?? .zero)
            return .volume(.times(times, within: 10_000_000_000, averageOf: generator.int(1...3)))
        }
    }

    private func change(
        _ kind: PriceKind, _ size: ChangeCondition.Size, _ generator: inout SeededGenerator
    ) -> ChangeCondition {
        ChangeCondition(
            price: kind, size: size, within: 60_000_000_000,
            direction: generator.pick(ChangeCondition.Direction.allCases),
            anchor: generator.pick(ChangeCondition.Anchor.allCases))
    }
}

@Suite("Values of many decimals")
struct WideDecimalTests {
    @Test("lose no other value: what a look at every rule with decimals of any size fires is fired")
    func model() {
        property(cases: 200) { generator in
            var simulation = WideNumberSimulation()
            for _ in 0..<generator.int(20...100) { try simulation.step(&generator) }
        }
    }

    @Test("a price of 14 places does not hide a greater one after it")
    func crossing() throws {
        let always = "\"repeat\":{\"cooldown\":\"0s\"}"
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"90000\"},\(always)",
            "\"id\":\"c\",\"condition\":{\"change\":{\"percent\":\"50\",\"within\":\"1h\"}},\(always)")
        let fired = try market.fires(at: "60000.12345678901234 100000 60000 100000.5")
        #expect(fired == [1, 3])
        #expect(market.firings.map(\.rule.description) == ["c", "r", "r"])
        #expect(market.firings[0].previous?.description == "60000.12345678901234")
        #expect(market.firings[2].price?.description == "100000.5")
    }

    @Test("the middle of two prices of 18 places is on neither of them, also over a restart")
    func middle() throws {
        let rule =
            "\"condition\":{\"price\":\"mid\",\"crosses\":\"above\",\"level\":\"1.000000000000000001\"}"
        for isRestarted in [false, true] {
            var market = try OneMarket(rule)
            func quote(_ bid: Int64, _ ask: Int64) -> BookQuote {
                BookQuote(
                    bid: BookLevel(price: Price(1_000_000_000_000_000_000 + bid), size: Quantity(1)),
                    ask: BookLevel(price: Price(1_000_000_000_000_000_000 + ask), size: Quantity(1)),
                    priceScale: .maximum, sizeScale: .zero, venueTime: nil, receivedTime: .zero)
            }
            market.engine.prove(.book, of: market.market, at: .zero, into: &market.outputs)
            market.engine.quote(quote(0, 1), of: market.market, into: &market.outputs)
            if isRestarted {
                let state = try EngineState(bytes: market.engine.state().bytes)
                market = try OneMarket(rule)
                market.engine.restore(state)
            }
            #expect(market.firings.isEmpty)
            market.engine.quote(quote(1, 1), of: market.market, into: &market.outputs)
            #expect(market.firings.count == 1)
        }
    }
}
