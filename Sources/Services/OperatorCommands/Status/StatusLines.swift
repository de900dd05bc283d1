import Instruments
import MarketData
import Shapes
import Wire

/// Something that was said at some time, and may not be true any more.
private protocol SaidLine {
    /// When it was said.
    var time: Timestamp { get }
    var now: Timestamp { get }
}

extension SaidLine {
    /// Whether nothing was said for 10 s.
    fileprivate var isSilent: Bool { now.nanoseconds(since: time) > 10_000_000_000 }

    fileprivate func age(_ time: Timestamp) -> TextTable.Cell {
        TextTable.Cell(ClockText.age(nanoseconds: now.nanoseconds(since: time)))
    }
}

/// What a service last said of itself.
struct ServiceLine: PrintedRow, SaidLine {
    static let row = RowShape<ServiceLine>("Service") {
        Field("type", { _ in "service" }, as: .words(["service"]))
        Field("service", \.status.service, example: "feed-ingestor").column(style: .strong)
        Column("state") { $0.state }
        Column("heard", .right) { $0.age($0.time) }
        Column("up for", .right) { $0.age($0.started) }
        Field("instance", \.status.instance, example: "1")
            .column { TextTable.Cell(String($0.status.instance.prefix(8))) }
        Field("version", \.status.version, "Its release, and the commit that it was built of.")
        Field("started", \.started.iso8601, as: .time)
        Field("received_time", \.time.iso8601, "When it was said.", as: .time)
        Field("ready", \.status.isReady, example: true)
        Field("silent", \.isSilent, "Whether nothing was heard of it for ten seconds.", example: false)
        Field("detail", \.status.detail, "What it says of itself, or nothing.", example: "")
            .column { TextTable.Cell($0.detail) }
        Field("figures", \.status.figures, "What it counts, by name.", example: ["stored": 5_555])
        Field("private_database", \.status.privateDatabase, "Where its own database is, or nothing.")
    }

    let status: Bitpal_V1_ServiceStatus
    let time: Timestamp
    let now: Timestamp

    private var started: Timestamp { Timestamp(nanoseconds: status.startedUnixNanos) }

    private var state: TextTable.Cell {
        if isSilent { return TextTable.Cell("silent", .bad) }
        return status.isReady ? TextTable.Cell("ready", .good) : TextTable.Cell("not ready", .warning)
    }

    private var detail: String {
        // What is zero is no news; JSON has it all.
        let figures = status.figures.sorted { $0.key < $1.key }.filter { $0.value != 0 }
            .map { "\($0.key) \($0.value)" }
        return ([status.detail] + figures).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// What a feed last said of itself.
struct FeedLine: PrintedRow, SaidLine {
    static let row = RowShape<FeedLine>("Feed") {
        Field("type", { _ in "feed" }, as: .words(["feed"]))
        Field("venue", \.status.venue, example: .venue).column(as: "feed", style: .strong)
        Field("state", \.status.state.word, example: "live").column { $0.state }
        Field("received_time", \.time.iso8601, "When it was said.", as: .time)
            .column(.right, as: "heard") { $0.age($0.time) }
        Field(
            "instance", \.holder, "Of feed-ingestor: who holds the venue; nothing where nobody does.",
            example: "1"
        )
        .column(as: "held by") { $0.holderCell }
        Column("books live", .right) { TextTable.Cell("\($0.status.booksLive)/\($0.status.booksTotal)") }
        Field("silent", \.isSilent, "Whether nothing was heard of it for ten seconds.", example: false)
        Field("detail", \.status.detail, "What it says of itself, or nothing.", example: "")
        Field("messages_received", \.status.messagesReceived, example: 123_456)
            .column(.right, as: "messages")
        Field("malformed_messages", \.status.malformedMessages).column(.right, as: "malformed")
        Field("resyncs", \.status.resyncs).column(.right)
        Field("reconnects", \.status.reconnects, example: 1).column(.right)
        Field("books_live", \.status.booksLive, example: 4)
        Field("books_total", \.status.booksTotal, example: 4)
        Field("trades_stored", \.status.tradesStored, example: 5_555).column(.right)
        Field("trades_waiting", \.status.tradesWaiting, "That are not stored yet.")
            .column(.right, as: "waiting")
        Column("detail") { TextTable.Cell($0.status.detail) }
        Field("connected_since", { known($0.status.connectedSinceUnixNanos) }, as: .nullable(.time))
        Field("last_received", { known($0.status.lastReceivedUnixNanos) }, as: .nullable(.time))
        Field("rest_url", \.status.restURL, "Where it asks its venue, or nothing.")
    }

    let status: Bitpal_V1_FeedStatus
    let time: Timestamp
    let now: Timestamp

    /// Who says nothing any more holds nothing any more: its lease is over by now.
    private var holder: String { isSilent ? "" : status.instance }

    private var holderCell: TextTable.Cell {
        holder.isEmpty ? TextTable.Cell("nobody", .bad) : TextTable.Cell(String(holder.prefix(8)))
    }

    private var state: TextTable.Cell {
        if isSilent { return TextTable.Cell("silent", .bad) }
        return TextTable.Cell(status.state.word, status.state == .live ? .good : .warning)
    }

    private static func known(_ nanoseconds: Int64) -> String? {
        nanoseconds == 0 ? nil : Timestamp(nanoseconds: nanoseconds).iso8601
    }
}

/// The state of a book.
struct BookStateLine: WireBody {
    static let shape = BodyShape<BookStateLine>("BookCondition") {
        Field("type", { _ in "book" }, as: .words(["book"]))
        Field(all: { InstrumentFields($0.id) })
        Field("state", \.top.state.name, as: .words(BookState.allCases.map(\.name)), example: "live")
        Field("reason", \.top.reason.name, "Why its state is so.", example: "verified")
    }

    let id: InstrumentID
    let top: BookTop

    /// Whether nobody wants it any more, or its venue has no such instrument: nothing will come of it.
    var isUnlisted: Bool { top.state == .syncing && top.reason.isUnlisted }
}

extension BookStateReason {
    /// Whether a book in this state is followed by nobody.
    var isUnlisted: Bool { self == .unsubscribed || self == .unlisted }
}

extension Bitpal_V1_FeedState {
    /// The state in lower case.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .live: "live"
        case .disconnected: "disconnected"
        case .silent: "silent"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}
