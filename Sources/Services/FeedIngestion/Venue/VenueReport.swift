import Instruments
import Wire

/// What the parts of one venue's feed say, put together as if it was one.
struct VenueReport: Sendable {
    /// How long a part is believed that says nothing more, in nanoseconds.
    static let patience: Int64 = 5_000_000_000

    private struct Part: Sendable {
        let number: Int
        var figures: FeedFigures
        var at: Timestamp
    }

    /// By number.
    private var parts: [Part] = []
    /// The counts of parts that have ended: none goes back.
    private var ended = FeedFigures()

    /// Whether any part runs.
    var isRunning: Bool { !parts.isEmpty }

    /// The part that speaks for all of them.
    var first: Int? { parts.first?.number }

    /// A part says something.
    mutating func note(_ figures: FeedFigures, of part: Int, at now: Timestamp) {
        end(part, counting: false)
        let place = parts.firstIndex { $0.number > part } ?? parts.endIndex
        parts.insert(Part(number: part, figures: figures, at: now), at: place)
    }

    /// A part has ended.
    mutating func end(_ part: Int) { end(part, counting: true) }

    private mutating func end(_ part: Int, counting: Bool) {
        guard let place = parts.firstIndex(where: { $0.number == part }) else { return }
        let last = parts.remove(at: place)
        if counting { ended.count(last.figures) }
    }

    /// Whether every part has said something lately.
    func isRecent(at now: Timestamp) -> Bool {
        parts.allSatisfy { now.nanoseconds(since: $0.at) <= Self.patience }
    }

    /// All of it.
    ///
    /// One part that has lost its connection counts for all, since nobody who hears of the venue knows which
    /// instruments are of which part. One that connects for the first time does not, as long as others run:
    /// its books and tapes begin with it.
    func figures() -> FeedFigures {
        var whole = ended
        whole.state = .connecting
        let known = parts.map(\.figures)
        for figures in known {
            whole.count(figures)
            whole.booksLive += figures.booksLive
            whole.booksTotal += figures.booksTotal
            whole.unexplained += figures.unexplained
            whole.connectedSince = max(whole.connectedSince, figures.connectedSince)
            whole.lastReceived = max(whole.lastReceived, figures.lastReceived)
            whole.tradesHeld += figures.tradesHeld
        }
        for state in [.silent, .live, .disconnected] as [FeedFigures.State] {
            if known.contains(where: { $0.state == state }) { whole.state = state }
        }
        whole.detail = detail(known)
        return whole
    }

    /// What the venue asks for, or else what the first of the parts in trouble says, and of how many.
    private func detail(_ known: [FeedFigures]) -> String {
        if let banned = known.first(where: { !$0.ban.isEmpty }) { return banned.ban }
        let troubled = known.filter { !$0.isConnected }
        guard let first = troubled.first(where: { !$0.detail.isEmpty }) else { return "" }
        return known.count == 1 ? first.detail : "\(troubled.count) of \(known.count) parts: \(first.detail)"
    }
}

extension FeedFigures {
    /// Adds what only grows.
    fileprivate mutating func count(_ other: FeedFigures) {
        messages &+= other.messages
        malformed &+= other.malformed
        resyncs &+= other.resyncs
        reconnects &+= other.reconnects
    }
}
