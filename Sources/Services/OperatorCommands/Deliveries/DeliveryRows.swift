import AlertStore
import Instruments
import Store

/// Deliveries as a table for people and as lines of JSON.
struct DeliveryRows {
    private let rows: [DeliveryRow]

    init(_ rows: [DeliveryRow]) { self.rows = rows }

    static func notFound(_ id: String, _ what: String = "delivery") -> CommandFailure {
        CommandFailure(
            .notFound, "there is no \(what) \"\(id)\"; `bitpal deliveries list` shows those that there are")
    }

    func print(json: Bool) throws {
        if json {
            let output = StandardOutput()
            for row in rows { try output.writeLine(json: row) }
            return try output.flush()
        }
        var table = TextTable([
            ("id", .left), ("state", .left), ("channel", .left), ("created", .left), ("failed", .right),
            ("what", .left), ("last error", .left),
        ])
        for row in rows {
            let cells = [
                row.id.description, row.stateName, row.channel, row.created.plain, "\(row.failures)",
                row.reason.isEmpty ? row.subject : row.reason, row.error ?? "",
            ]
            table.append(cells.map { TextTable.Cell($0) })
        }
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    /// One delivery, a field a line.
    static func page(_ row: DeliveryRow) -> [StyledLine] {
        let texts: [(String, String?)] = [
            ("id", row.id.description), ("state", row.stateName), ("channel", row.channel),
            ("kind", row.kind), ("subject", row.subject), ("reason", row.reason),
            ("rule", row.rule?.description), ("last_error", row.error), ("created", row.created.plain),
            ("next", row.state == "waiting" ? row.next.plain : nil), ("ended", row.ended?.plain),
            ("digest", row.digest?.description),
        ]
        var fields = texts.compactMap { key, value in value.map { (key, $0) } }
        if let epoch = row.epoch { fields.append(("epoch", "\(epoch)")) }
        fields.append(("failures", "\(row.failures) in \(row.claims) claims"))
        if row.isHeld { fields.append(("held", "until its quiet time is over")) }
        return TextTable.fields(fields)
    }
}
