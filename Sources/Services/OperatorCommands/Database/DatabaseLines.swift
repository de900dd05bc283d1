import Instruments
import MarketStore
import Shapes

/// The database as a whole.
struct DatabaseLine: WireBody {
    static let shape = BodyShape<DatabaseLine>("DatabaseSize") {
        Field("type", { _ in "database" }, as: .words(["database"]))
        Field("name", \.report.name, example: "bitpal")
        Field("bytes", \.report.bytes, example: 12_345_678)
        Field("time", \.report.now.exact, "When it was looked at.", as: .time)
    }

    let report: DatabaseReport
}

/// One of its tables.
struct TableLine: PrintedRow {
    static let row = RowShape<TableLine>("DatabaseTable") {
        Field("type", { _ in "table" }, as: .words(["table"]))
        Field("table", \.table.name, example: "trade").column()
        Field("partitions", \.table.partitions, "Null where it has none.", example: 11).column(.right)
        Field("bytes", \.table.bytes, example: 12_345_678)
            .column(.right, as: "size") { TextTable.Cell(DatabasePage.size($0.table.bytes)) }
        Field("rows_estimated", \.table.rows, "Null where nobody counted yet.", example: 345)
            .column(.right, as: "rows") { TextTable.Cell($0.table.rows.map { "~\($0)" } ?? "?") }
        Field("from", \.table.from?.exact, "Of its oldest partition.", as: .nullable(.time))
            .column { TextTable.Cell($0.table.from?.day ?? "") }
        Field("to", \.table.to?.exact, "Of its newest partition.", as: .nullable(.time))
            .column { TextTable.Cell($0.table.to?.day ?? "") }
        Field(
            "keep_seconds", { $0.table.keep.map { $0 / 1_000_000_000 } }, "Null for what is kept for ever.",
            example: 604_800
        ).column(.right, as: "kept") { TextTable.Cell($0.kept) }
        Field("swept", \.table.swept?.exact, "When old rows were removed last.", as: .nullable(.time))
            .column(.right) { $0.table.swept.age(at: $0.now) }
    }

    let table: DatabaseReport.Table
    let now: Timestamp

    private var kept: String {
        guard table.partitions != nil else { return "" }
        // Without a sweep nobody has said yet how long.
        guard table.swept != nil else { return "?" }
        return table.keep.map { "\($0 / 86_400_000_000_000) d" } ?? "for ever"
    }
}

/// How old what is stored of a venue is.
struct FeedAgeLine: PrintedRow {
    static let row = RowShape<FeedAgeLine>("FeedAge") {
        Field("type", { _ in "venue" }, as: .words(["venue"]))
        Field("venue", \.feed.venue.rawValue, example: .venue).column()
        Field("trade", \.feed.trade?.exact, "Of its newest trade.", as: .nullable(.time))
            .column(as: "newest trade") { $0.second($0.feed.trade) }
        Field("received", \.feed.received?.exact, "When that was received.", as: .nullable(.time))
            .column(.right) { $0.feed.received.age(at: $0.now) }
        Field("candle", \.feed.candle?.exact, "Of its newest candle of a minute.", as: .nullable(.time))
            .column(as: "newest 1m candle") { $0.second($0.feed.candle) }
        Field("written", \.feed.written?.exact, "When that was stored.", as: .nullable(.time))
            .column(.right) { $0.feed.written.age(at: $0.now) }
        Field("lag_nanos", \.feed.lag, "How far candles are behind trades.", example: 60_000_000_000)
            .column(.right, as: "lag") {
                TextTable.Cell($0.feed.lag.map { "\($0 / 1_000_000_000) s" } ?? "")
            }
    }

    let feed: DatabaseReport.Feed
    let now: Timestamp

    private func second(_ time: Timestamp?) -> TextTable.Cell {
        TextTable.Cell(time?.iso8601(fractionDigits: 0) ?? "none")
    }
}

/// How the instances of a service share its work.
struct SharingLine: PrintedRow {
    static let row = RowShape<SharingLine>("ServiceSharing") {
        Field("type", { _ in "service" }, as: .words(["service"]))
        Field("service", \.sharing.service, example: "book-builder").column()
        Field("instances", \.sharing.members, example: 3).column(.right)
        Field("leases", \.sharing.held, "That are held, of 256.", example: 256)
            .column(.right, as: "leases held") { TextTable.Cell("\($0.sharing.held) of 256") }
        Field("refused", \.sharing.refused, "Writes of who had lost its lease.")
            .column(.right, as: "writes refused")
    }

    let sharing: DatabaseReport.Sharing
}

extension Timestamp {
    fileprivate var exact: String { iso8601(fractionDigits: 9) }
    fileprivate var day: String { String(iso8601(fractionDigits: 0).prefix(10)) }
}

extension Timestamp? {
    /// How long ago that is; nothing for no time.
    fileprivate func age(at now: Timestamp) -> TextTable.Cell {
        TextTable.Cell(map { ClockText.age(nanoseconds: now.nanoseconds(since: $0)) } ?? "")
    }
}
