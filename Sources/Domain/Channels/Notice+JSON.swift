import Alerting
import Instruments

extension Notice {
    /// The body of a webhook, on one line of at most 40,000 bytes.
    ///
    /// `{"type","timestamp","data"}` by the recommendation of Standard Webhooks 1.0. `type` is `alert.` and
    /// the kind, `timestamp` when it happened (ISO 8601). `data` has `id` (the delivery: the same for each
    /// retry), `rule`, `epoch`, `instrument`, `condition` (in the form of rules), `price`, `previous`,
    /// `level` (decimals as texts), `currency`, `reason`, `late_by_ns`, `since`, `count`, `items` (`rule`,
    /// `epoch`, `instrument`, `price`, `currency`, `venue_time`), `note`, `tags`, `priority`. What is unknown
    /// is null; no field is ever left out. Fields may be added, none changes its meaning.
    public var json: String {
        JSONText.object([
            ("type", .text("alert.\(kind.rawValue)")), ("timestamp", .text(venueTime.iso8601)),
            ("data", .object(data)),
        ]).string
    }

    private var data: [(String, JSONText)] {
        [
            ("id", .text(id)), ("rule", .optional(rule?.description)),
            ("epoch", epoch.map(JSONText.integer) ?? .null),
            ("instrument", .optional(instrument?.description)),
            ("condition", condition.map { .written($0.json) } ?? .null),
            ("price", .optional(price?.description)), ("previous", .optional(previous?.description)),
            ("level", .optional(level?.description)), ("currency", .optional(currency)),
            ("reason", .text(TextCut.json(reason, 2_000))), ("late_by_ns", .integer(lateBy)),
            ("since", .optional(since?.iso8601)), ("count", .integer(Int64(count))),
            ("items", .array(items.prefix(Notice.itemLimit).map(\.json))),
            ("note", .text(TextCut.json(note, 4_000))),
            ("tags", .array(tags.prefix(16).map { .text(TextCut.json($0, 128)) })),
            ("priority", .text(priority.rawValue)),
        ]
    }
}

extension Notice.Item {
    fileprivate var json: JSONText {
        .object([
            ("rule", .text(rule.description)), ("epoch", .integer(epoch)),
            ("instrument", .optional(instrument?.description)), ("price", .optional(price?.description)),
            ("currency", .optional(currency)), ("venue_time", .text(venueTime.iso8601)),
            ("count", .integer(Int64(count))),
        ])
    }
}
