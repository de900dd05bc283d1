import Bus
import Instruments
import MarketData
import Shapes
import Wire

/// Follows one book over the bus and says how far it may be believed.
struct BookFollower: Sendable {
    let instrument: InstrumentID
    private(set) var replica = BookReplica()
    /// Whether anything about the instrument was heard.
    private(set) var isHeard = false
    private var link = BusLink()

    init(_ instrument: InstrumentID) { self.instrument = instrument }

    var topics: [String] { [Topic.bookSnapshot(instrument), Topic.bookDelta(instrument)] }

    /// Whether there is a book to show.
    var hasBook: Bool { !replica.isWaitingForSnapshot }

    /// The book as it stands.
    func view(_ range: BookRange) -> BookView {
        BookView(replica, of: instrument, range: range, connection: link.word == .live ? nil : link.word)
    }

    /// The book as it stands, read from retained state alone.
    func retainedView(_ range: BookRange) -> BookView { BookView(replica, of: instrument, range: range) }

    /// Takes one message of the book; answers whether the retained state is needed.
    mutating func apply(_ event: WireEvent, at position: StreamPosition) -> Bool {
        let outcome: ReplicaOutcome
        switch event {
        case .bookDelta(instrument, let delta): outcome = replica.apply(delta, at: position)
        case .bookStateChange(instrument, let change): outcome = replica.apply(change, at: position)
        case .bookSnapshot(instrument, let snapshot): outcome = replica.apply(snapshot)
        default: return false
        }
        isHeard = true
        return outcome == .needsSnapshot
    }

    /// Takes a batch; answers whether the retained state is needed.
    mutating func apply(_ batch: BusBatch) -> Bool {
        var isNeeded = false
        for event in batch.events {
            link.note(event)
            switch event {
            case .message(let message):
                // What cannot be decoded is a message less: the next one reveals the gap.
                guard let event = try? batch.decode(message) else { continue }
                if apply(event, at: batch.position(of: message)) { isNeeded = true }
            case .gap(let gap):
                guard batch.topic(gap.topic) == Topic.bookDelta(instrument) else { continue }
                let last = gap.received.map { $0 - 1 } ?? gap.expected
                if replica.lose(through: last, detail: "the bus lost messages") == .needsSnapshot {
                    isNeeded = true
                }
            case .stateAnswered where replica.isWaitingForSnapshot:
                replica.allowAsking()
            case .producerSilent, .producerBack, .producerRestarted, .busSilent, .synchronized,
                .stateAnswered,
                .overflow, .forgotten:
                break
            }
        }
        noteSilence()
        return isNeeded
    }

    private mutating func noteSilence() {
        guard let producer = replica.position?.producer else { return }
        if link.silentProducers.contains(producer) {
            replica.lower(to: .stale, reason: .busSilent, detail: "nothing is heard of \(producer)")
        } else {
            replica.restore()
        }
    }
}

/// A book that is watched.
struct BookLivePage: LivePage {
    private var follower: BookFollower
    private let range: BookRange
    /// Lines below the book that are never cut, each longer one on several.
    private var links: [String]
    /// A line below the book.
    private let footer: String?
    private var isChanged = true

    /// Goes on with what a follower has already seen.
    init(_ follower: BookFollower, _ range: BookRange, links: [String] = [], footer: String? = nil) {
        self.follower = follower
        self.range = range
        self.links = links
        self.footer = footer
    }

    /// What to subscribe to.
    var topics: [String] { follower.topics }

    /// Puts other lines below the book.
    mutating func show(links: [String]) {
        self.links = links
        isChanged = true
    }

    mutating func apply(_ batch: BusBatch, at now: Timestamp) -> [String] {
        isChanged = true
        return follower.apply(batch) ? follower.topics : []
    }

    func needsDrawing(at now: Timestamp) -> Bool { isChanged }

    mutating func draw(at now: Timestamp, columns: Int, rows: Int?) -> [StyledLine] {
        isChanged = false
        let view = follower.view(range)
        guard let footer else { return BookPage(view, columns: columns, rows: rows).lines }
        let below =
            [StyledLine()] + links.flatMap { Self.broken($0, at: columns) }
            + [StyledLine(footer, .faint).clipped(to: columns)]
        let page = BookPage(view, columns: columns, rows: rows.map { max(1, $0 - below.count) }).lines
        return page + below
    }

    private static func broken(_ text: String, at columns: Int) -> [StyledLine] {
        var (lines, rest) = ([StyledLine](), text[...])
        repeat {
            lines.append(StyledLine(String(rest.prefix(max(columns, 1)))))
            rest = rest.dropFirst(max(columns, 1))
        } while !rest.isEmpty
        return lines
    }

    mutating func news() -> [any WireBody] {
        isChanged = false
        return [BookLine(follower.view(range))]
    }
}
