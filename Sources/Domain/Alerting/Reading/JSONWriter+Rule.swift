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
}
