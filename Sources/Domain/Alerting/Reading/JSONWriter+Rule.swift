import Instruments
import JSON
import MarketData

extension AlertRule {
    /// The rule in the form of import and export, on one line; reading it gives an equal rule.
    public var json: String {
        var writer = JSONWriter(shortensLineFeeds: false)
        writer.rule(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension AlertCondition {
    /// The condition in the form that it has in ``AlertRule/json``.
    public var json: String {
        var writer = JSONWriter(shortensLineFeeds: false)
        writer.condition(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Rules; defaults are left out.
extension JSONWriter {
    fileprivate mutating func rule(_ rule: AlertRule) {
        object { writer in
            writer.text("id", rule.id.description)
            if let instrument = rule.instrument { writer.text("instrument", instrument.description) }
            writer.key("condition")
            writer.condition(rule.condition)
            writer.key("repeat")
            switch rule.repetition {
            case .once: writer.string("once")
            case .recurring(let cooldown, let hysteresis):
                writer.object { writer in
                    writer.text("cooldown", RuleDuration.text(cooldown))
                    if hysteresis.units != 0 { writer.text("hysteresis", hysteresis.description) }
                }
            }
            if rule.whenAlready { writer.pair("when_already", true) }
            if let expires = rule.expires { writer.text("expires", expires.iso8601) }
            if rule.sustain != 0 { writer.text("for", RuleDuration.text(rule.sustain)) }
            if let active = rule.active { writer.active(active) }
            if !rule.note.isEmpty { writer.text("note", rule.note) }
            if !rule.tags.isEmpty { writer.texts("tags", rule.tags) }
            if !rule.channels.isEmpty { writer.texts("channels", rule.channels) }
            if rule.priority != .normal { writer.text("priority", rule.priority.rawValue) }
        }
    }

    private mutating func active(_ active: ActiveHours) {
        object("active") { writer in
            if active.from != 0 || active.to != 1_440 {
                writer.text("hours", "\(ActiveHours.clock(active.from))-\(ActiveHours.clock(active.to))")
            }
            if active.days != ActiveHours.everyDay {
                let names = ActiveHours.dayNames.enumerated()
                writer.texts(
                    "days", names.filter { active.days & (1 << UInt8($0.offset)) != 0 }.map(\.element))
            }
            writer.text("time_zone", active.timeZone)
        }
    }

    fileprivate mutating func condition(_ condition: AlertCondition) {
        switch condition {
        case .crosses(let kind, let direction, let level):
            object { writer in
                writer.text("price", kind.rawValue)
                writer.text("crosses", direction.rawValue)
                writer.text("level", level.description)
            }
        case .leaves(let kind, let low, let high):
            object { writer in
                writer.text("price", kind.rawValue)
                writer.object("leaves") { writer in
                    writer.text("low", low.description)
                    writer.text("high", high.description)
                }
            }
        case .feed(let change): object { $0.text("feed", change.rawValue) }
        default:
            object { writer in
                writer.object(JSONWriter.name(condition)) { $0.body(condition) }
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
            text("price", change.price.rawValue)
            switch change.size {
            case .percent(let size): text("percent", size.description)
            case .amount(let size): text("amount", size.description)
            }
            text("within", RuleDuration.text(change.within))
            text("direction", change.direction.rawValue)
            text("against", change.anchor.rawValue)
        case .volume(.above(let size, let within)):
            text("above", size.description)
            text("within", RuleDuration.text(within))
        case .volume(.times(let factor, let within, let count)):
            text("times", factor.description)
            text("within", RuleDuration.text(within))
            pair("average_of", count)
        case .spread(let above): text("above", above.description)
        case .imbalance(let levels, let direction, let level):
            pair("levels", levels)
            crossing(direction, level)
        case .trade(let size, let side):
            text("larger_than", size.description)
            if let side { text("side", side.name) }
        case .candle(let interval, let direction, let level):
            text("interval", RuleDuration.text(interval))
            text("close", direction.rawValue)
            text("level", level.description)
        case .indicator(let interval, let indicator):
            text("interval", RuleDuration.text(interval))
            self.indicator(indicator)
        case .portfolio(let id, let metric, let direction, let level):
            text("id", id)
            text("metric", metric.rawValue)
            crossing(direction, level)
        case .listing(let venue, let base, let quote):
            text("venue", venue.rawValue)
            if let base { text("base", base) }
            if let quote { text("quote", quote) }
        case .crosses, .leaves, .feed: break
        }
    }

    private mutating func indicator(_ indicator: IndicatorCondition) {
        switch indicator {
        case .rsi(let period, let direction, let level):
            pair("period", period)
            crossing(direction, level)
        case .macd(let fast, let slow, let signal, let direction):
            pair("fast", fast)
            pair("slow", slow)
            pair("signal", signal)
            text("crosses", direction.rawValue)
        case .ema(let fast, let slow, let direction):
            pair("fast", fast)
            pair("slow", slow)
            text("crosses", direction.rawValue)
        case .bollinger(let period, let deviations, let side):
            pair("period", period)
            text("deviations", deviations.description)
            text("leaves", side.rawValue)
        }
    }

    private mutating func crossing(_ direction: CrossingDirection, _ level: DecimalNumber) {
        text("crosses", direction.rawValue)
        text("level", level.description)
    }
}
