public import Instruments

/// Follows a book over the bus by (producer, epoch, sequence).
///
/// It decides one thing: whether its book equals the producer's after the newest message that it knows of. It
/// is never wrong and `live`: while a message is missing it is `syncing` with ``BookStateReason/busGap``.
/// Meanwhile it keeps the book of its last position out of sight, takes any newer snapshot in its place, and
/// applies to it what joins on, so messages and snapshots may come in any order. It may lower what the
/// producer declares, never raise it. At most `bufferLimit` messages wait; past that they are forgotten and a
/// later snapshot is needed.
public struct BookReplica: Sendable {
    /// The levels; empty while `syncing`.
    public private(set) var book = Book(priceScale: .zero, sizeScale: .zero)
    /// The venue's time of the last change.
    public private(set) var venueTime: Timestamp?
    /// When the last change was read from the venue.
    public private(set) var receivedTime = Timestamp.zero
    /// How often messages were found missing.
    public private(set) var gaps: UInt64 = 0
    /// How often the waiting messages were more than `bufferLimit`.
    public private(set) var bufferOverflows: UInt64 = 0

    private struct Declared {
        var state: BookState
        var reason: BookStateReason
        var detail: String
    }

    /// One life of one publisher.
    ///
    /// A life is newer that began later; of two that began in the same nanosecond the name decides, so that
    /// every replica decides alike.
    private struct Stream: Comparable {
        var epoch: UInt64
        var producer: String

        static func < (left: Stream, right: Stream) -> Bool {
            left.epoch == right.epoch ? left.producer < right.producer : left.epoch < right.epoch
        }
    }

    /// The newest stream that was heard of; everything of an older one is ignored.
    private var stream: Stream?
    /// The last message that the levels contain or that emptied them, 0 before the first.
    private var sequence: UInt64 = 0
    /// The last message that came or that a snapshot contains.
    private var known: UInt64 = 0
    /// The last message that was told of, which may never have been sent; 0 before that.
    private var told: UInt64 = 0
    /// The last message that is believed to exist.
    private var newest: UInt64 { max(known, told) }
    /// Whether there are levels at `sequence`: in `book`, or in `hidden` while something is missing.
    private var hasBook = false
    private var hidden = Book(priceScale: .zero, sizeScale: .zero)
    private var declared = Declared(state: .syncing, reason: .snapshotPending, detail: "")
    /// The snapshot that `declared` came with, `nil` when a message of the stream said it.
    private var declaredBySnapshot: UInt64?
    private var lowered: Declared?
    /// Why there is nothing to see; while it is set, `sequence` is behind `known` or there are no levels.
    private var loss: Declared? = Declared(state: .syncing, reason: .snapshotPending, detail: "")
    private var hasAsked = false
    private var waiting: WaitingMessages

    /// An empty replica that waits for a snapshot.
    ///
    /// - Parameter bufferLimit: How many messages may wait for what is missing before them, at least 1.
    public init(bufferLimit: Int = 4_096) { waiting = WaitingMessages(limit: bufferLimit) }

    /// What may be believed of the book.
    public var state: BookState { effective.state }

    public var reason: BookStateReason { effective.reason }

    /// Words for a person.
    public var detail: String { effective.detail }

    /// The last message that the book contains, or that emptied it; sequence 0 before the first of a stream.
    public var position: StreamPosition? {
        guard let stream else { return nil }
        return StreamPosition(producer: stream.producer, epoch: stream.epoch, sequence: sequence)
    }

    /// Whether the book waits for a snapshot or a missing message.
    public var isWaitingForSnapshot: Bool { loss != nil || !hasBook }

    /// How many messages wait, at most `bufferLimit`.
    public var waitingCount: Int { waiting.count }

    /// A lowering counts only against a live book: everything else is already worse or as bad.
    private var effective: Declared {
        if let loss { return loss }
        if declared.state == .live, let lowered { return lowered }
        return declared
    }

    // MARK: - What comes

    /// Applies changed levels if they are the next message.
    public mutating func apply(_ delta: BookDelta, at position: StreamPosition) -> ReplicaOutcome {
        guard isNews(position) else { return .ignored }
        return receive(.delta(delta), at: position.sequence)
    }

    /// Applies a declared state if it is the next message; `syncing` is taken at once: it empties the book.
    public mutating func apply(_ change: BookStateChange, at position: StreamPosition) -> ReplicaOutcome {
        guard isNews(position) else { return .ignored }
        if change.state == .syncing {
            empty(by: change, at: position.sequence)
            return .applied
        }
        return receive(.state(change), at: position.sequence)
    }

    /// Takes a snapshot if it is newer than the levels, and what waits for it.
    ///
    /// The book is shown again when nothing that is known of is missing behind the snapshot.
    public mutating func apply(_ snapshot: BookSnapshot) -> ReplicaOutcome {
        guard let continues = snapshot.continues, enter(continues) else { return .ignored }
        if hasBook, continues.sequence <= sequence { return takeBack(snapshot, at: continues.sequence) }
        guard continues.sequence >= sequence else { return .ignored }
        take(snapshot, at: continues.sequence)
        return join()
    }

    /// Says that messages up to `sequence` of the newest stream exist, as a heartbeat tells; those not seen
    /// are lost.
    public mutating func lose(through sequence: UInt64, detail: String) -> ReplicaOutcome {
        guard stream != nil, sequence > newest else { return .ignored }
        told = sequence
        return miss(detail)
    }

    /// Says the same of a position; one in an older stream than the newest is ignored.
    public mutating func lose(through position: StreamPosition, detail: String) -> ReplicaOutcome {
        guard enter(position) else { return .ignored }
        return lose(through: position.sequence, detail: detail)
    }

    /// Says that this is the last message of its stream, as each heartbeat does that comes in its order.
    ///
    /// What an earlier one told and this does not was never sent: it is not waited for any longer.
    public mutating func tell(last position: StreamPosition, detail: String) -> ReplicaOutcome {
        guard enter(position), position.sequence < told else {
            return lose(through: position, detail: detail)
        }
        let before = newest
        told = position.sequence
        return loss != nil && newest < before ? join() : .ignored
    }

    /// The producer has begun this life, in place of one that seemed later: its clock was set back, or that
    /// one was never its own.
    public mutating func restarted(_ producer: String, epoch: UInt64) -> ReplicaOutcome {
        guard let stream, stream.producer == producer, stream.epoch > epoch else { return .ignored }
        turn(to: Stream(epoch: epoch, producer: producer))
        return askOnce()
    }

    /// Nothing is heard of a producer: what is missing of its stream is not waited for, another's book will
    /// do.
    public mutating func forsake(_ producer: String) {
        guard stream?.producer == producer, isWaitingForSnapshot else { return }
        turn(to: nil)
    }

    /// Lowers a live book to `suspect` or `stale` until ``restore()``; a worse declared state stays.
    ///
    /// `syncing` is for a book without levels and counts as `suspect`; `live` lowers nothing.
    public mutating func lower(to state: BookState, reason: BookStateReason, detail: String) {
        guard state != .live else { return }
        lowered = Declared(state: state == .stale ? .stale : .suspect, reason: reason, detail: detail)
    }

    /// Takes back what ``lower(to:reason:detail:)`` did.
    public mutating func restore() { lowered = nil }

    /// Allows the current loss to ask for a snapshot again, after an answer that did not help.
    public mutating func allowAsking() { hasAsked = false }

    // MARK: - What goes out

    /// The whole book as a message.
    public func snapshot() -> BookSnapshot {
        BookSnapshot(
            state: state, reason: reason, detail: detail, priceScale: book.priceScale,
            sizeScale: book.sizeScale, bids: book.bids.top(.max), asks: book.asks.top(.max),
            continues: position, venueTime: venueTime, receivedTime: receivedTime)
    }

    /// The best bid and ask as a message.
    public func top() -> BookTop {
        BookTop(
            state: state, reason: reason, priceScale: book.priceScale, sizeScale: book.sizeScale,
            bid: book.bestBid, ask: book.bestAsk, at: position, venueTime: venueTime,
            receivedTime: receivedTime)
    }

    // MARK: - Sequence

    /// Turns to the stream of a position; false for one older than the newest that was heard of.
    private mutating func enter(_ position: StreamPosition) -> Bool {
        if let stream, stream.epoch == position.epoch, stream.producer == position.producer { return true }
        let other = Stream(epoch: position.epoch, producer: position.producer)
        if let stream, other < stream { return false }
        turn(to: other)
        return true
    }

    private mutating func turn(to other: Stream?) {
        if let stream {
            let producer = (other ?? stream).producer
            declare(.syncing, .busGap, "producer \(producer) started again", bySnapshot: nil)
        }
        stream = other
        sequence = 0
        known = 0
        told = 0
        hasBook = false
        book.clear()
        hidden.clear()
        hasAsked = false
        waiting.removeAll()
    }

    /// Whether a message of the delta stream is not yet in the levels; from then on it is known to exist.
    private mutating func isNews(_ position: StreamPosition) -> Bool {
        guard enter(position), position.sequence > sequence else { return false }
        known = max(known, position.sequence)
        return true
    }

    private mutating func receive(_ body: WaitingMessages.Body, at next: UInt64) -> ReplicaOutcome {
        if hasBook, next == sequence + 1 {
            // While the book is lost this may be the one that was missing.
            guard applyNext(body, at: next) else { return askOnce() }
            return loss == nil ? .applied : join()
        }
        switch waiting.insert(body, at: next) {
        case .inserted: break
        case .duplicate: return .ignored
        case .overflowed:
            bufferOverflows &+= 1
            // What was asked for before can no longer be joined on to.
            hasAsked = false
        }
        return miss()
    }

    /// Applies what waits and joins on, and shows the book when it has reached what is known.
    private mutating func join() -> ReplicaOutcome {
        while hasBook, sequence < known, let body = waiting.first(at: sequence + 1) {
            guard applyNext(body, at: sequence + 1) else { return askOnce() }
            waiting.removeFirst()
        }
        guard sequence == newest else { return miss() }
        found()
        return .applied
    }

    private mutating func applyNext(_ body: WaitingMessages.Body, at next: UInt64) -> Bool {
        switch body {
        case .delta(let delta):
            guard loss == nil ? book.apply(delta) : hidden.apply(delta) else {
                lost(.numberOutOfRange, "a level of message \(next) does not fit")
                hidden.clear()
                hasBook = false
                return false
            }
            venueTime = delta.venueTime ?? venueTime
            receivedTime = delta.receivedTime
        case .state(let change):
            declare(change.state, change.reason, change.detail, bySnapshot: nil)
            receivedTime = change.receivedTime
        }
        sequence = next
        return true
    }

    private mutating func take(_ snapshot: BookSnapshot, at continued: UInt64) {
        var levels = Book(priceScale: snapshot.priceScale, sizeScale: snapshot.sizeScale)
        hasBook = snapshot.state != .syncing
        if hasBook { levels.replace(bids: snapshot.bids, asks: snapshot.asks) }
        if loss == nil { book = levels } else { hidden = levels }
        sequence = continued
        known = max(known, continued)
        waiting.removeAll(through: continued)
        declare(snapshot.state, snapshot.reason, snapshot.detail, bySnapshot: continued)
        venueTime = snapshot.venueTime
        receivedTime = snapshot.receivedTime
    }

    /// Takes back a lowering that came with the snapshot that our state is from.
    ///
    /// Whoever publishes snapshots may lower the book and restore it: no message of the stream says so.
    /// Levels are not taken: ours are as new or newer.
    private mutating func takeBack(_ snapshot: BookSnapshot, at continued: UInt64) -> ReplicaOutcome {
        guard let from = declaredBySnapshot, continued >= from, declared.state != .live,
            snapshot.state == .live
        else { return .ignored }
        declare(.live, snapshot.reason, snapshot.detail, bySnapshot: continued)
        return loss == nil ? .applied : .buffered
    }

    private mutating func empty(by change: BookStateChange, at next: UInt64) {
        book.clear()
        hidden.clear()
        hasBook = false
        sequence = next
        waiting.removeAll(through: next)
        declare(.syncing, change.reason, change.detail, bySnapshot: nil)
        receivedTime = change.receivedTime
        if newest == next { found() }
    }

    private mutating func declare(
        _ state: BookState, _ reason: BookStateReason, _ detail: String, bySnapshot continued: UInt64?
    ) {
        declared = Declared(state: state, reason: reason, detail: detail)
        declaredBySnapshot = continued
    }

    // MARK: - Loss and recovery

    private mutating func miss(_ detail: String? = nil) -> ReplicaOutcome {
        if loss == nil {
            // States declared of an emptied book can wait for its snapshot; a delta shows that it was missed.
            let isComplete = newest - sequence == UInt64(waiting.count)
            if !hasBook, isComplete, waiting.areStates { return .buffered }
            let missing =
                hasBook
                ? "expected \(sequence + 1), received \(newest)" : "snapshot before \(newest) is missing"
            lost(.busGap, detail ?? missing)
        }
        return askOnce()
    }

    private mutating func lost(_ reason: BookStateReason, _ detail: String) {
        if loss == nil {
            swap(&book, &hidden)
            book = Book(priceScale: hidden.priceScale, sizeScale: hidden.sizeScale)
            gaps &+= 1
            hasAsked = false
        }
        loss = Declared(state: .syncing, reason: reason, detail: detail)
    }

    private mutating func found() {
        if loss != nil { swap(&book, &hidden) }
        loss = nil
        hasAsked = false
        hidden.clear()
    }

    private mutating func askOnce() -> ReplicaOutcome {
        if hasAsked { return .buffered }
        hasAsked = true
        return .needsSnapshot
    }
}
