import JSON

/// What happened to a rule, as a table for people and as lines of JSON.
enum HistoryRows {
    static func print(_ events: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            events, json: json, [("time", .left), ("what", .left), ("version", .right), ("", .left)]
        ) { event in
            let what = event["epoch"]?.text.map { "\(event.text("kind")) #\($0)" } ?? event.text("kind")
            let held = event["held"]?.text.map { " (\($0))" } ?? ""
            // Why it fired, or what it said from then on.
            let words =
                event["reason"]?.text ?? String(decoding: event["rule"]?.bytes ?? [], as: UTF8.self)
            return [
                event.cell("time"), TextTable.Cell(what), event.cell("version"),
                TextTable.Cell(words + held),
            ]
        }
    }
}
