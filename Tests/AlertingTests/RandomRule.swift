import Alerting
import Instruments
import MarketData
import Support

/// Rules of every kind that the model knows.
enum RandomRule {
    static func make(
        _ name: String, _ id: InstrumentID, around price: Int64, at time: Int64,
        _ generator: inout SeededGenerator
    ) -> AlertRule {
        let condition = condition(around: price, &generator)
        var rule = AlertRule(
            id: RuleID(name) ?? RuleID(uuid: 0, 0), instrument: id, condition: condition)
        if generator.chance(60) {
            let cooldown = Int64(generator.pick([0, 0, 1, 1_000_000_000, 20_000_000_000, 3_600_000_000_000]))
            let hysteresis =
                condition.hasLevel && generator.chance(60) ? Int64(generator.pick([1, 25, 100, 1_000])) : 0
            rule.repetition = .recurring(
                cooldown: cooldown, hysteresis: DecimalNumber(units: hysteresis, scale: scale(3)))
        }
        if condition.hasLevel {
            rule.whenAlready = generator.chance(20)
            if generator.chance(25) {
                rule.sustain = Int64(generator.pick([1, 1_000_000_000, 5_000_000_000, 3_600_000_000_000]))
            }
        }
        if generator.chance(10) {
            rule.expires = Timestamp(nanoseconds: time + Int64(generator.int(0...100)) * 1_000_000_000)
        }
        if generator.chance(10) {
            let from = generator.int(0...1_439)
            let to = generator.int(1...1_440)
            rule.active = ActiveHours(
                from: from, to: to == from ? 1_440 : to, days: UInt8(generator.int(1...127)),
                timeZone: generator.pick(["UTC", "Test/East"]))
        }
        return rule
    }

    private static func scale(_ places: Int) -> Scale { Scale(places) ?? .zero }

    /// Levels near to the price, on a price, and finer than any price.
    private static func level(_ price: Int64, _ generator: inout SeededGenerator) -> DecimalNumber {
        let units = price + Int64(generator.pick([0, 0, 1, -1, 2, -2, 5, -5, 20, -20, 100, -100]))
        guard generator.chance(40) else { return DecimalNumber(units: units, scale: scale(2)) }
        let places = generator.int(3...5)
        let factor = scale(places).power / 100
        return DecimalNumber(units: units * factor + Int64(generator.int(-9...9)), scale: scale(places))
    }

    private static func condition(
        around price: Int64, _ generator: inout SeededGenerator
    ) -> AlertCondition {
        let kind = generator.pick([PriceKind.last, .last, .last, .bid, .ask, .mid])
        let way = generator.pick(CrossingDirection.allCases)
        switch generator.int(0...19) {
        case 0..<9: return .crosses(kind, way, level: level(price, &generator))
        case 9..<12:
            let low = level(price, &generator)
            let wide = DecimalNumber(units: low.units + Int64(generator.int(1...100)), scale: low.scale)
            return .leaves(kind, low: low, high: wide)
        case 12: return .spread(above: DecimalNumber(units: Int64(generator.int(10...80)), scale: scale(3)))
        case 13: return .candle(interval: 1_000_000_000, way, level: level(price, &generator))
        case 14, 15: return .change(change(&generator))
        case 16: return .volume(volume(&generator))
        case 17:
            return .trade(
                largerThan: DecimalNumber(units: Int64(generator.int(1...300)), scale: scale(1)),
                side: generator.chance(50) ? nil : generator.pick(Side.allCases))
        default:
            return .imbalance(
                levels: generator.int(1...5), way,
                level: DecimalNumber(units: Int64(generator.int(-9...9)), scale: scale(1)))
        }
    }

    private static func change(_ generator: inout SeededGenerator) -> ChangeCondition {
        let size: ChangeCondition.Size =
            generator.chance(50)
            ? .percent(DecimalNumber(units: Int64(generator.int(1...200)), scale: scale(2)))
            : .amount(DecimalNumber(units: Int64(generator.int(1...2_000)), scale: scale(3)))
        return ChangeCondition(
            price: .last, size: size, within: Int64(generator.pick([60, 90, 3_600])) * 1_000_000_000,
            direction: generator.pick(ChangeCondition.Direction.allCases),
            anchor: generator.pick(ChangeCondition.Anchor.allCases))
    }

    private static func volume(_ generator: inout SeededGenerator) -> VolumeCondition {
        let within = Int64(generator.pick([5, 60])) * 1_000_000_000
        guard generator.chance(50) else {
            return .above(
                DecimalNumber(units: Int64(generator.int(1...3_000)), scale: scale(1)), within: within)
        }
        return .times(
            DecimalNumber(units: Int64(generator.int(5...40)), scale: scale(1)), within: within,
            averageOf: generator.int(1...3))
    }
}
