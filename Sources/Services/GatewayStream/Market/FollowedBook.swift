import Instruments
import MarketData
import Wire

/// A whole book that is followed while somebody asks for it.
struct FollowedBook: Sendable {
    /// The book with its state.
    private(set) var replica = BookReplica()
    /// When we last heard of it.
    private(set) var heard: Timestamp
    /// Whether the broker has said what it keeps of it.
    private(set) var isAnswered = false
    private var isHeard = false
    private var link = BusConnectionState.Word.connecting

    init(since now: Timestamp) { heard = now }

    /// Whether there is a book to show.
    var hasBook: Bool { !replica.isWaitingForSnapshot }

    /// Whether nobody speaks of such a book: the broker answered and knows nothing.
    var isUnknown: Bool { isAnswered && !isHeard }

    /// Our own connection to it.
    var connection: BusConnectionState.Word {
        if link != .live { return link }
        switch (replica.state, replica.reason) {
        case (.live, _): return .live
        case (_, .disconnected), (_, .busSilent): return .offline
        case (.stale, _): return .stale
        case (.syncing, .connecting), (.syncing, .snapshotPending), (.syncing, .snapshotReplaced),
            (.syncing, .busGap):
            return .connecting
        case (.suspect, _), (.syncing, _): return .error
        }
    }

    /// Takes a message of the book; answers whether the retained state is needed.
    mutating func take(_ event: WireEvent, at position: StreamPosition, heard time: Timestamp) -> Bool {
        isHeard = true
        heard = max(heard, time)
        switch event {
        case .bookDelta(_, let delta): return replica.apply(delta, at: position) == .needsSnapshot
        case .bookStateChange(_, let change): return replica.apply(change, at: position) == .needsSnapshot
        case .bookSnapshot(_, let snapshot): return replica.apply(snapshot) == .needsSnapshot
        default: return false
        }
    }

    /// Messages up to a number are lost; answers whether the retained state is needed.
    mutating func lose(through sequence: UInt64) -> Bool {
        replica.lose(through: sequence, detail: "the bus lost messages") == .needsSnapshot
    }

    /// A heartbeat names the last message of the book; answers whether the retained state is needed.
    ///
    /// The bus compares heartbeats with what came live, and cannot know where a book stands that came from
    /// the broker: without this a book whose messages do not come would be shown as it was, and as live.
    mutating func tell(last position: StreamPosition) -> Bool {
        // Before anything of it came, the broker's answer is still under way.
        isHeard && replica.tell(last: position, detail: "the bus lost messages") == .needsSnapshot
    }

    /// A producer has begun a life; answers whether the retained state is needed.
    mutating func restarted(_ producer: String, epoch: UInt64) -> Bool {
        replica.restarted(producer, epoch: epoch) == .needsSnapshot
    }

    /// Nothing is heard of a producer.
    mutating func forsake(_ producer: String) { replica.forsake(producer) }

    /// The broker's answer is whole; says whether it has to be asked again, because the book still waits.
    mutating func answer() -> Bool {
        isAnswered = true
        guard replica.isWaitingForSnapshot else { return false }
        replica.allowAsking()
        return isHeard && replica.reason == .busGap
    }

    /// Lowers the book while its producer is not heard.
    mutating func reconsider(_ condition: BusConnectionState) {
        link = condition.word
        guard let producer = replica.position?.producer else { return }
        if condition.silentProducers.contains(producer) {
            replica.lower(to: .stale, reason: .busSilent, detail: "nothing is heard of \(producer)")
        } else {
            replica.restore()
        }
    }
}
