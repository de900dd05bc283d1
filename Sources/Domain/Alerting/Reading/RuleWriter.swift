import Instruments
import MarketData

extension AlertRule {
    /// The rule in the form of import and export, on one line; reading it gives an equal rule.
    public var json: String {
        var writer = RuleWriter()
        writer.write(self)
        return writer.text
    }
}

extension AlertCondition {
    /// The condition in the form that it has in ``AlertRule/json``.
    public var json: String {
        var writer = RuleWriter()
        writer.condition(self)
        return writer.text
    }
}

/// Writes rules as JSON; defaults are left out.
struct RuleWriter {
    private(set) var text = ""
    private var needsComma = false

    mutating func write(_ rule: AlertRule) {
        object { writer in
            writer.field("id", rule.id.description)
            if let instrument = rule.instrument { writer.field("instrument", instrument.description) }
            writer.key("condition")
            writer.condition(rule.condition)
            writer.key("repeat")
            switch rule.repetition {
            case .once: writer.string("once")
            case .recurring(let cooldown, let hysteresis):
                writer.object { writer in
                    writer.field("cooldown", RuleDuration.text(cooldown))
                    if hysteresis.units != 0 { writer.field("hysteresis", hysteresis.description) }
                }
            }
            if rule.whenAlready { writer.raw("when_already", "true") }
            if let expires = rule.expires { writer.field("expires", expires.iso8601) }
            if rule.sustain != 0 { writer.field("for", RuleDuration.text(rule.sustain)) }
            if let active = rule.active { writer.active(active) }
            if !rule.note.isEmpty { writer.field("note", rule.note) }
            if !rule.tags.isEmpty { writer.list("tags", rule.tags) }
            if !rule.channels.isEmpty { writer.list("channels", rule.channels) }
            if rule.priority != .normal { writer.field("priority", rule.priority.rawValue) }
        }
    }

    private mutating func active(_ active: ActiveHours) {
        key("active")
        object { writer in
            if active.from != 0 || active.to != 1_440 {
                writer.field("hours", "\(ActiveHours.clock(active.from))-\(ActiveHours.clock(active.to))")
            }
            if active.days != ActiveHours.everyDay {
                let names = ActiveHours.dayNames.enumerated()
                writer.list(
                    "days", names.filter { active.days & (1 << UInt8($0.offset)) != 0 }.map(\.element))
            }
            writer.field("time_zone", active.timeZone)
        }
    }

    fileprivate mutating func condition(_ condition: AlertCondition) {
        switch condition {
        case .crosses(let kind, let direction, let level):
            object { writer in
                writer.field("price", kind.rawValue)
                writer.field("crosses", direction.rawValue)
                writer.field("level", level.description)
            }
        case .leaves(let kind, let low, let high):
            object { writer in
                writer.field("price", kind.rawValue)
                writer.key("leaves")
                writer.object { writer in
                    writer.field("low", low.description)
                    writer.field("high", high.description)
                }
            }
        case .feed(let change): object { $0.field("feed", change.rawValue) }
        default:
            object { writer in
                writer.key(RuleWriter.name(condition))
                writer.object { $0.body(condition) }
            }
        }
    }

    private static func name(_ condition: AlertCondition) -> String {
        switch condition {
        case .crosses, .leaves: "price"
        case .change: "change"
        case .volume: "volume"
        case .spread: "spread"
        case .imbalance: "imbalance"
        case .trade: "trade"
        case .candle: "candle"
        case .indicator(_, .rsi): "rsi"
        case .indicator(_, .macd): "macd"
        case .indicator(_, .ema): "ema"
        case .indicator(_, .bollinger): "bollinger"
        case .feed: "feed"
        case .portfolio: "portfolio"
        case .listing: "listing"
        }
    }

    private mutating func body(_ condition: AlertCondition) {
        switch condition {
        case .change(let change):
            field("price", change.price.rawValue)
            switch change.size {
            case .percent(let size): field("percent", size.description)
            case .amount(let size): field("amount", size.description)
            }
            field("within", RuleDuration.text(change.within))
            field("direction", change.direction.rawValue)
            field("against", change.anchor.rawValue)
        case .volume(.above(let size, let within)):
            field("above", size.description)
            field("within", RuleDuration.text(within))
        case .volume(.times(let factor, let within, let count)):
            field("times", factor.description)
            field("within", RuleDuration.text(within))
            raw("average_of", String(count))
        case .spread(let above): field("above", above.description)
        case .imbalance(let levels, let direction, let level):
            raw("levels", String(levels))
            crossing(direction, level)
        case .trade(let size, let side):
            field("larger_than", size.description)
            if let side { field("side", side.name) }
        case .candle(let interval, let direction, let level):
            field("interval", RuleDuration.text(interval))
            field("close", direction.rawValue)
            field("level", level.description)
        case .indicator(let interval, let indicator):
            field("interval", RuleDuration.text(interval))
            self.indicator(indicator)
        case .portfolio(let id, let metric, let direction, let level):
            field("id", id)
            field("metric", metric.rawValue)
            crossing(direction, level)
        case .listing(let venue, let base, let quote):
            field("venue", venue.rawValue)
            if let base { field("base", base) }
            if let quote { field("quote", quote) }
        case .crosses, .leaves, .feed: break
        }
    }

    private mutating func indicator(_ indicator: IndicatorCondition) {
        switch indicator {
        case .rsi(let period, let direction, let level):
            raw("period", String(period))
            crossing(direction, level)
        case .macd(let fast, let slow, let signal, let direction):
            raw("fast", String(fast))
            raw("slow", String(slow))
            raw("signal", String(signal))
            field("crosses", direction.rawValue)
        case .ema(let fast, let slow, let direction):
            raw("fast", String(fast))
            raw("slow", String(slow))
            field("crosses", direction.rawValue)
        case .bollinger(let period, let deviations, let side):
            raw("period", String(period))
            field("deviations", deviations.description)
            field("leaves", side.rawValue)
        }
    }

    private mutating func crossing(_ direction: CrossingDirection, _ level: DecimalNumber) {
        field("crosses", direction.rawValue)
        field("level", level.description)
    }

    // MARK: - JSON

    private mutating func object(_ body: (inout RuleWriter) -> Void) {
        separate()
        text += "{"
        needsComma = false
        body(&self)
        text += "}"
        needsComma = true
    }

    private mutating func key(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    private mutating func field(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    private mutating func raw(_ name: String, _ value: String) {
        key(name)
        separate()
        text += value
    }

    private mutating func list(_ name: String, _ values: [String]) {
        key(name)
        separate()
        text += "["
        needsComma = false
        for value in values { string(value) }
        text += "]"
        needsComma = true
    }

    private mutating func string(_ value: String) {
        separate()
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u00\(digits.utf8.count == 1 ? "0" : "")\(digits)"
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private mutating func separate() {
        if needsComma { text += "," }
        needsComma = true
    }
}
