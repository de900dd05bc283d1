import Instruments
import JSON
import MarketData
import Wire

/// What services and feeds last said of themselves, and the states of the books.
struct StatusReport: Sendable {
    private struct Said<Message: Sendable>: Sendable {
        var message: Message
        /// When it was said.
        var time: Timestamp
    }

    /// Longer than this without a word and a service counts as silent: 10 s.
    private static let silence: Int64 = 10_000_000_000

    private var services: [Said<Bitpal_V1_ServiceStatus>] = []
    private var feeds: [Said<Bitpal_V1_FeedStatus>] = []
    private var books: [(InstrumentID, BookTop)] = []
    private let now: Timestamp

    init(_ events: [RetainedEvent], at now: Timestamp) {
        self.now = now
        for event in events {
            let time = event.header.publishedTime
            switch event.event {
            case .serviceStatus(let status): services.append(Said(message: status, time: time))
            case .feedStatus(let status): feeds.append(Said(message: status, time: time))
            case .bookTop(let id, let top): books.append((id, top))
            default: continue
            }
        }
        services.sort {
            ($0.message.service, $0.message.instance) < ($1.message.service, $1.message.instance)
        }
        feeds.sort { $0.message.venue < $1.message.venue }
        books.sort { $0.0 < $1.0 }
    }

    private func isSilent(_ time: Timestamp) -> Bool { now.nanoseconds(since: time) > StatusReport.silence }

    private func age(_ time: Timestamp) -> String { ClockText.age(nanoseconds: now.nanoseconds(since: time)) }

    // MARK: - Text

    func lines(columns: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        if services.isEmpty && feeds.isEmpty {
            lines.append(StyledLine("The bus answers; no service has said anything yet.", .warning))
        }
        if !services.isEmpty { lines += serviceTable.lines(columns: columns) + [StyledLine()] }
        if !feeds.isEmpty { lines += feedTable.lines(columns: columns) + [StyledLine()] }
        lines.append(StyledLine("books: \(bookCounts)"))
        for (id, top) in books where top.state != .live {
            var line = StyledLine("  \(id)  ")
            line.append("\(top.state.name), \(top.reason.name)", .warning)
            lines.append(line.clipped(to: columns))
        }
        return lines
    }

    private var bookCounts: String {
        let counts = BookState.allCases.map { state in (state, books.filter { $0.1.state == state }.count) }
        let shown = counts.filter { $0.1 > 0 || $0.0 == .live }
        return shown.map { "\($0.1) \($0.0.name)" }.joined(separator: ", ")
    }

    private var serviceTable: TextTable {
        var table = TextTable([
            ("service", .left), ("state", .left), ("heard", .right), ("up for", .right), ("instance", .left),
            ("detail", .left),
        ])
        for service in services {
            let status = service.message
            let state =
                isSilent(service.time)
                ? TextTable.Cell("silent", .bad)
                : status.isReady ? TextTable.Cell("ready", .good) : TextTable.Cell("not ready", .warning)
            table.append([
                .init(status.service, .strong), state, .init(age(service.time)),
                .init(age(Timestamp(nanoseconds: status.startedUnixNanos))),
                .init(String(status.instance.prefix(8))), .init(StatusReport.detail(status)),
            ])
        }
        return table
    }

    private static func detail(_ status: Bitpal_V1_ServiceStatus) -> String {
        // What is zero is no news; JSON has it all.
        let figures = status.figures.sorted { $0.key < $1.key }.filter { $0.value != 0 }
            .map { "\($0.key) \($0.value)" }
        return ([status.detail] + figures).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private var feedTable: TextTable {
        var table = TextTable([
            ("feed", .left), ("state", .left), ("heard", .right), ("books live", .right),
            ("messages", .right),
            ("malformed", .right), ("resyncs", .right), ("reconnects", .right), ("trades stored", .right),
            ("waiting", .right), ("detail", .left),
        ])
        for feed in feeds {
            let status = feed.message
            let state =
                isSilent(feed.time)
                ? TextTable.Cell("silent", .bad)
                : TextTable.Cell(status.state.word, status.state == .live ? .good : .warning)
            table.append([
                .init(status.venue, .strong), state, .init(age(feed.time)),
                .init("\(status.booksLive)/\(status.booksTotal)"), .init("\(status.messagesReceived)"),
                .init("\(status.malformedMessages)"), .init("\(status.resyncs)"),
                .init("\(status.reconnects)"),
                .init("\(status.tradesStored)"), .init("\(status.tradesWaiting)"), .init(status.detail),
            ])
        }
        return table
    }

    // MARK: - JSON

    var json: [UInt8] {
        var line = JSONWriter()
        for service in services { write(service, to: &line) }
        for feed in feeds { write(feed, to: &line) }
        for (id, top) in books { StatusReport.write(id, top, to: &line) }
        return line.bytes
    }

    private func write(_ said: Said<Bitpal_V1_ServiceStatus>, to line: inout JSONWriter) {
        let status = said.message
        line.beginObject()
        line.pair("type", "service")
        line.pair("service", status.service)
        line.pair("instance", status.instance)
        line.pair("version", status.version)
        line.pair("started", Timestamp(nanoseconds: status.startedUnixNanos).iso8601)
        line.pair("received_time", said.time.iso8601)
        line.key("ready")
        line.bool(status.isReady)
        line.key("silent")
        line.bool(isSilent(said.time))
        line.pair("detail", status.detail)
        line.key("figures")
        line.beginObject()
        for (name, value) in status.figures.sorted(by: { $0.key < $1.key }) { line.pair(name, value) }
        line.endObject()
        line.pair("private_database", status.privateDatabase)
        line.endObject()
        line.endLine()
    }

    private func write(_ said: Said<Bitpal_V1_FeedStatus>, to line: inout JSONWriter) {
        let status = said.message
        line.beginObject()
        line.pair("type", "feed")
        line.pair("venue", status.venue)
        line.pair("state", status.state.word)
        line.pair("received_time", said.time.iso8601)
        line.key("silent")
        line.bool(isSilent(said.time))
        line.pair("detail", status.detail)
        for (name, count) in [
            ("messages_received", status.messagesReceived), ("malformed_messages", status.malformedMessages),
            ("resyncs", status.resyncs), ("reconnects", status.reconnects), ("books_live", status.booksLive),
            ("books_total", status.booksTotal), ("trades_stored", status.tradesStored),
            ("trades_waiting", status.tradesWaiting),
        ] {
            line.pair(name, count)
        }
        for (name, nanos) in [
            ("connected_since", status.connectedSinceUnixNanos),
            ("last_received", status.lastReceivedUnixNanos),
        ] {
            line.key(name)
            line.string(nanos == 0 ? nil : Timestamp(nanoseconds: nanos).iso8601)
        }
        line.pair("rest_url", status.restURL)
        line.endObject()
        line.endLine()
    }

    private static func write(_ id: InstrumentID, _ top: BookTop, to line: inout JSONWriter) {
        line.beginObject()
        line.pair("type", "book")
        line.pair("venue", id.venue.rawValue)
        line.pair("symbol", id.symbol)
        line.pair("state", top.state.name)
        line.pair("reason", top.reason.name)
        line.endObject()
        line.endLine()
    }
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
