import Alerting
import Instruments
import JSON

extension Notice {
    /// The body of a webhook, on one line of at most 40,000 bytes.
    ///
    /// `{"type","timestamp","data"}` by the recommendation of Standard Webhooks 1.0. `type` is `alert.` and
    /// the kind, `timestamp` when it happened (ISO 8601). `data` has `id` (the delivery: the same for each
    /// retry), `rule`, `epoch`, `instrument`, `condition` (in the form of rules), `price`, `previous`,
    /// `level` (decimals as texts), `currency`, `reason`, `late_by_ns`, `since`, `count`, `items` (`rule`,
    /// `epoch`, `instrument`, `price`, `currency`, `venue_time`), `note`, `tags`, `priority`. What is unknown
    /// is null; no field is ever left out. Fields may be added, none changes its meaning.
    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.text("type", "alert.\(kind.rawValue)")
            writer.text("timestamp", venueTime.iso8601)
            writer.object("data") { write(to: &$0) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(to writer: inout JSONWriter) {
        writer.text("id", id)
        writer.pair("rule", rule?.description)
        writer.key("epoch")
        if let epoch { writer.integer(epoch) } else { writer.null() }
        writer.pair("instrument", instrument?.description)
        writer.key("condition")
        if let condition { writer.raw(Array(condition.json.utf8)) } else { writer.null() }
        writer.pair("price", price?.description)
        writer.pair("previous", previous?.description)
        writer.pair("level", level?.description)
        writer.pair("currency", currency)
        writer.text("reason", TextCut.json(reason, 2_000))
        writer.pair("late_by_ns", lateBy)
        writer.pair("since", since?.iso8601)
        writer.pair("count", count)
        writer.list("items", Array(items.prefix(Notice.itemLimit))) { $0.write(to: &$1) }
        writer.text("note", TextCut.json(note, 4_000))
        writer.texts("tags", tags.prefix(16).map { TextCut.json($0, 128) })
        writer.text("priority", priority.rawValue)
    }
}

extension Notice.Item {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.text("rule", rule.description)
        writer.pair("epoch", epoch)
        writer.pair("instrument", instrument?.description)
        writer.pair("price", price?.description)
        writer.pair("currency", currency)
        writer.text("venue_time", venueTime.iso8601)
        writer.pair("count", count)
    }
}
