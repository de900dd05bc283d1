import Instruments
import MarketData
import Shapes
import Wire

/// What services and feeds last said of themselves, and the states of the books.
struct StatusReport: Sendable {
    private var services: [ServiceLine] = []
    private var feeds: [FeedLine] = []
    private var books: [BookStateLine] = []

    /// Where all of it is said.
    static let topics = ["service.status.", "feed.status.", "book.top."]

    init(_ events: [RetainedEvent], at now: Timestamp) {
        for event in events {
            let time = event.header.publishedTime
            switch event.event {
            case .serviceStatus(let status):
                services.append(ServiceLine(status: status, time: time, now: now))
            case .feedStatus(let status): feeds.append(FeedLine(status: status, time: time, now: now))
            case .bookTop(let id, let top): books.append(BookStateLine(id: id, top: top))
            default: continue
            }
        }
        services.sort {
            ($0.status.service, $0.status.instance) < ($1.status.service, $1.status.instance)
        }
        feeds.sort { $0.status.venue < $1.status.venue }
        books.sort { $0.id < $1.id }
    }

    func lines(columns: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        if services.isEmpty && feeds.isEmpty {
            lines.append(StyledLine("The bus answers; no service has said anything yet.", .warning))
        }
        if !services.isEmpty { lines += ServiceLine.table(services).lines(columns: columns) + [StyledLine()] }
        if !feeds.isEmpty { lines += FeedLine.table(feeds).lines(columns: columns) + [StyledLine()] }
        lines.append(StyledLine("books: \(bookCounts)"))
        // What nobody follows is in no doubt: it is counted, and that is all.
        for book in books where book.top.state != .live && !book.isUnlisted {
            var line = StyledLine("  \(book.id)  ")
            line.append("\(book.top.state.name), \(book.top.reason.name)", .warning)
            lines.append(line.clipped(to: columns))
        }
        return lines
    }

    private var bookCounts: String {
        let followed = books.filter { !$0.isUnlisted }
        let counts = BookState.allCases.map { state in
            (state, followed.filter { $0.top.state == state }.count)
        }
        let shown = counts.filter { $0.1 > 0 || $0.0 == .live }.map { "\($0.1) \($0.0.name)" }
        let others = books.count - followed.count
        return (shown + (others > 0 ? ["\(others) unlisted"] : [])).joined(separator: ", ")
    }

    /// A line each, of services, feeds and books.
    var json: [UInt8] { services.jsonLines + feeds.jsonLines + books.jsonLines }

    /// The same one by one.
    var bodies: [any WireBody] { services + feeds + books }
}
