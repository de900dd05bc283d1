import AlertStore
import Instruments
import Store

/// Channels as a table for people and as lines of JSON; never their secrets.
struct ChannelRows {
    private let channels: [Channel]

    init(_ channels: [Channel]) { self.channels = channels }

    func print(json: Bool) throws {
        if json {
            let output = StandardOutput()
            for channel in channels { try output.writeLine(json: channel) }
            return try output.flush()
        }
        var table = TextTable([("name", .left), ("kind", .left), ("state", .left), ("settings", .left)])
        for channel in channels {
            let cells = [channel.name, channel.kind.rawValue, channel.stateName, channel.settings]
            table.append(cells.map { TextTable.Cell($0) })
        }
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    /// One channel, a field a line.
    static func page(_ channel: Channel) -> [StyledLine] {
        var fields = [
            ("name", channel.name), ("id", channel.id.description), ("kind", channel.kind.rawValue),
            ("state", channel.stateName), ("settings", channel.settings), ("secrets", "(not shown)"),
            ("locale", channel.manners.locale), ("time zone", channel.manners.timeZone),
            ("per minute", "\(channel.manners.perMinute)"), ("per hour", "\(channel.manners.perHour)"),
            ("quiet", channel.manners.quiet.map(QuietText.format) ?? "as the account"),
            ("created", channel.created.plain),
        ]
        if let verified = channel.verified { fields.append(("verified", verified.plain)) }
        if let disabled = channel.disabled { fields.append(("disabled", disabled.plain)) }
        return TextTable.fields(fields)
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
