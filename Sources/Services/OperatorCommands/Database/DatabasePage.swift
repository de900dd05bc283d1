import MarketStore

/// A report of the database as a page for people and as lines of JSON.
struct DatabasePage: Sendable {
    private let report: DatabaseReport
    private let tables: [TableLine]
    private let feeds: [FeedAgeLine]
    private let services: [SharingLine]

    init(_ report: DatabaseReport) {
        self.report = report
        tables = report.tables.map { TableLine(table: $0, now: report.now) }
        feeds = report.feeds.map { FeedAgeLine(feed: $0, now: report.now) }
        services = report.sharing.map(SharingLine.init)
    }

    func lines(columns: Int) -> [StyledLine] {
        var lines = [StyledLine("database \(report.name), \(DatabasePage.size(report.bytes))"), StyledLine()]
        lines += TableLine.table(tables).lines(columns: columns)
        if !feeds.isEmpty { lines += [StyledLine()] + FeedAgeLine.table(feeds).lines(columns: columns) }
        if !services.isEmpty { lines += [StyledLine()] + SharingLine.table(services).lines(columns: columns) }
        return lines
    }

    /// One line for the database, then one per table, venue and service; times in ISO 8601.
    var json: [UInt8] {
        [DatabaseLine(report: report)].jsonLines + tables.jsonLines + feeds.jsonLines + services.jsonLines
    }

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
}
