import Instruments
import JSON
import Store

/// Deliveries as JSON.
public enum DeliveryJSON {
    /// One object, a line.
    public static func line(_ row: DeliveryRow) -> [UInt8] {
        var line = JSONWriter()
        line.beginObject()
        for (key, value) in row.fields {
            line.key(key)
            line.string(value)
        }
        line.key("epoch")
        if let epoch = row.epoch { line.integer(epoch) } else { line.null() }
        line.key("claims")
        line.integer(row.claims)
        line.key("failures")
        line.integer(row.failures)
        line.key("held")
        line.bool(row.isHeld)
        line.endObject()
        line.endLine()
        return line.bytes
    }
}

extension DeliveryRow {
    /// Its state, or `held` while it waits for the end of quiet hours or of a limit.
    public var stateName: String { isHeld && state == "waiting" ? "held" : state }

    /// What is text, in one order.
    public var fields: [(String, String?)] {
        [
            ("id", id.description), ("state", stateName), ("channel", channel), ("kind", kind),
            ("subject", subject), ("reason", reason), ("rule", rule?.description), ("last_error", error),
            ("created", created.plain), ("next", state == "waiting" ? next.plain : nil),
            ("ended", ended?.plain), ("digest", digest?.description),
        ]
    }
}
