import JSON

/// Channels as a table for people and as lines of JSON; never their secrets.
enum ChannelRows {
    static func print(_ channels: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            channels, json: json,
            [
                .member("name"), .member("kind"), .member("state"),
                Column("settings") { settings(of: $0) },
            ])
    }

    /// One channel, a field a line.
    static func page(_ channel: JSONValue) -> [StyledLine] {
        var fields = [
            ("name", channel.text("name")), ("id", channel.text("id")), ("kind", channel.text("kind")),
            ("state", channel.text("state")), ("settings", settings(of: channel)),
            ("secrets", "(not shown)"), ("locale", channel.text("locale")),
            ("time zone", channel.text("time_zone")), ("per minute", channel.text("per_minute")),
            ("per hour", channel.text("per_hour")), ("quiet", channel["quiet"]?.text ?? "as the account"),
            ("created", channel.text("created")),
        ]
        for key in ["verified", "disabled"] {
            if let time = channel[key]?.text { fields.append((key, time)) }
        }
        return TextTable.fields(fields)
    }

    private static func settings(of channel: JSONValue) -> String {
        String(decoding: channel["settings"]?.bytes ?? [], as: UTF8.self)
    }
}

extension TextTable {
    /// Names and values, a line each.
    static func fields(_ fields: [(String, String)]) -> [StyledLine] {
        var table = TextTable([("field", .left), ("value", .left)])
        for (name, value) in fields { table.append([TextTable.Cell(name, .faint), TextTable.Cell(value)]) }
        return Array(table.lines(columns: 4_096).dropFirst())
    }
}
