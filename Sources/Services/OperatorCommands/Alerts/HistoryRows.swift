import JSON

/// What happened to a rule, as a table for people and as lines of JSON.
enum HistoryRows {
    static func print(_ events: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            events, json: json,
            [
                .member("time"), Column("what", text: what), .member("version", .right),
                Column("", text: words),
            ])
    }

    private static func what(_ event: JSONValue) -> String {
        event["epoch"]?.text.map { "\(event.text("kind")) #\($0)" } ?? event.text("kind")
    }

    /// Why it fired, or what it said from then on.
    private static func words(_ event: JSONValue) -> String {
        let held = event["held"]?.text.map { " (\($0))" } ?? ""
        return (event["reason"]?.text ?? String(decoding: event["rule"]?.bytes ?? [], as: UTF8.self)) + held
    }
}
