import Instruments
import JSON
import MarketStore

/// A report of the database as a page for people and as lines of JSON.
struct DatabasePage: Sendable {
    private let report: DatabaseReport

    init(_ report: DatabaseReport) { self.report = report }

    // MARK: - Text

    func lines(columns: Int) -> [StyledLine] {
        var lines = [StyledLine("database \(report.name), \(DatabasePage.size(report.bytes))"), StyledLine()]
        lines += tables.lines(columns: columns)
        if !report.feeds.isEmpty { lines += [StyledLine()] + feeds.lines(columns: columns) }
        if !report.sharing.isEmpty { lines += [StyledLine()] + sharing.lines(columns: columns) }
        return lines
    }

    private var tables: TextTable {
        var table = TextTable([
            ("table", .left), ("partitions", .right), ("size", .right), ("rows", .right), ("from", .left),
            ("to", .left), ("kept", .right), ("swept", .right),
        ])
        for row in report.tables {
            var cells = [row.name, DatabasePage.text(row.partitions) { String($0) }]
            cells.append(DatabasePage.size(row.bytes))
            cells.append(DatabasePage.text(row.rows, none: "?") { "~" + String($0) })
            cells.append(DatabasePage.text(row.from, DatabasePage.day))
            cells.append(DatabasePage.text(row.to, DatabasePage.day))
            cells.append(kept(row))
            cells.append(DatabasePage.text(row.swept, age))
            table.append(cells.map { TextTable.Cell($0) })
        }
        return table
    }

    private func kept(_ row: DatabaseReport.Table) -> String {
        guard row.partitions != nil else { return "" }
        // Without a sweep nobody has said yet how long.
        guard row.swept != nil else { return "?" }
        return DatabasePage.text(row.keep, none: "for ever") { String($0 / 86_400_000_000_000) + " d" }
    }

    private var feeds: TextTable {
        var table = TextTable([
            ("venue", .left), ("newest trade", .left), ("received", .right), ("newest 1m candle", .left),
            ("written", .right), ("lag", .right),
        ])
        for feed in report.feeds {
            var cells = [feed.venue.rawValue]
            cells.append(DatabasePage.text(feed.trade, none: "none", DatabasePage.second))
            cells.append(DatabasePage.text(feed.received, age))
            cells.append(DatabasePage.text(feed.candle, none: "none", DatabasePage.second))
            cells.append(DatabasePage.text(feed.written, age))
            cells.append(DatabasePage.text(feed.lag) { String($0 / 1_000_000_000) + " s" })
            table.append(cells.map { TextTable.Cell($0) })
        }
        return table
    }

    private var sharing: TextTable {
        var table = TextTable([
            ("service", .left), ("instances", .right), ("leases held", .right), ("writes refused", .right),
        ])
        for service in report.sharing {
            table.append([
                TextTable.Cell(service.service), TextTable.Cell("\(service.members)"),
                TextTable.Cell("\(service.held) of 256"), TextTable.Cell("\(service.refused)"),
            ])
        }
        return table
    }

    private static func text<Value>(
        _ value: Value?, none: String = "", _ text: (Value) -> String
    ) -> String {
        if let value { text(value) } else { none }
    }

    private func age(_ time: Timestamp) -> String {
        ClockText.age(nanoseconds: report.now.nanoseconds(since: time))
    }

    private static func day(_ time: Timestamp) -> String {
        String(time.iso8601(fractionDigits: 0).prefix(10))
    }

    private static func second(_ time: Timestamp) -> String { time.iso8601(fractionDigits: 0) }

    /// Bytes as people read them, in steps of 1,024 with one digit after the point.
    static func size(_ bytes: Int64) -> String {
        var tenths = bytes * 10
        for unit in ["B", "kB", "MB", "GB"] {
            if tenths < 10_240 {
                return unit == "B" ? "\(tenths / 10) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            tenths /= 1_024
        }
        return "\(tenths / 10).\(tenths % 10) TB"
    }

    // MARK: - JSON

    /// One line for the database, then one per table, venue and service; times in ISO 8601.
    var json: [UInt8] {
        var line = JSONWriter()
        object("database", &line) { line in
            member("name", report.name, &line)
            member("bytes", report.bytes, &line)
            member("time", report.now, &line)
        }
        for table in report.tables { object("table", &line) { write(table, &$0) } }
        for feed in report.feeds { object("venue", &line) { write(feed, &$0) } }
        for service in report.sharing {
            object("service", &line) { line in
                member("service", service.service, &line)
                member("instances", Int64(service.members), &line)
                member("leases", Int64(service.held), &line)
                member("refused", service.refused, &line)
            }
        }
        return line.bytes
    }

    private func write(_ table: DatabaseReport.Table, _ line: inout JSONWriter) {
        member("table", table.name, &line)
        member("partitions", table.partitions.map(Int64.init), &line)
        member("bytes", table.bytes, &line)
        member("rows_estimated", table.rows, &line)
        member("from", table.from, &line)
        member("to", table.to, &line)
        member("keep_seconds", table.keep.map { $0 / 1_000_000_000 }, &line)
        member("swept", table.swept, &line)
    }

    private func write(_ feed: DatabaseReport.Feed, _ line: inout JSONWriter) {
        member("venue", feed.venue.rawValue, &line)
        member("trade", feed.trade, &line)
        member("received", feed.received, &line)
        member("candle", feed.candle, &line)
        member("written", feed.written, &line)
        member("lag_nanos", feed.lag, &line)
    }

    private func object(_ type: String, _ line: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        line.beginObject()
        member("type", type, &line)
        body(&line)
        line.endObject()
        line.endLine()
    }

    private func member(_ key: String, _ text: String, _ line: inout JSONWriter) {
        line.key(key)
        line.string(text)
    }

    private func member(_ key: String, _ number: Int64?, _ line: inout JSONWriter) {
        line.key(key)
        if let number { line.integer(number) } else { line.null() }
    }

    private func member(_ key: String, _ time: Timestamp?, _ line: inout JSONWriter) {
        line.key(key)
        line.string(time.map { $0.iso8601(fractionDigits: 9) })
    }
}
