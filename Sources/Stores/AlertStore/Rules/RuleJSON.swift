import Alerting
public import Instruments
import JSON

/// Rules and what happened to them as JSON, one object a line.
public enum RuleJSON {
    /// The form of import and export, and what is known of the row.
    public static func line(_ row: StoredRule, at now: Timestamp) -> [UInt8] {
        var line = JSONWriter()
        line.beginObject()
        line.text("state", row.stateName(at: now))
        line.key("version")
        line.integer(row.version)
        line.key("fired")
        line.integer(row.firings)
        line.text("created", row.created.plain)
        line.text("updated", row.updated.plain)
        line.endObject()
        line.endLine()
        // Two objects made one.
        return Array(row.rule.json.utf8.dropLast()) + [0x2C] + line.bytes.dropFirst()
    }

    /// What happened to a rule.
    public static func line(_ event: RuleEvent) -> [UInt8] {
        var line = JSONWriter()
        line.beginObject()
        line.text("time", event.time.plain)
        line.text("kind", event.kind.rawValue)
        line.key("version")
        line.integer(event.version)
        if let epoch = event.epoch {
            line.key("epoch")
            line.integer(epoch)
            line.text("reason", event.text)
            line.key("held")
            line.string(event.held)
            if let firing = event.firing {
                line.text("venue_time", firing.venueTime.plain)
                for (name, value) in [
                    ("previous", firing.previous), ("price", firing.price), ("level", firing.level),
                    ("trade_id", firing.tradeID),
                ] {
                    line.key(name)
                    line.string(value)
                }
                line.key("late_by_nanos")
                line.integer(firing.lateBy)
            }
        } else {
            line.key("rule")
            line.raw(Array(event.text.utf8))
        }
        line.endObject()
        line.endLine()
        return line.bytes
    }
}
