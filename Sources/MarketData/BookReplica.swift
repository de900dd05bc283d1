public import Instruments

/// What became of a message that a ``BookReplica`` was given.
public enum ReplicaOutcome: Hashable, Sendable {
    /// The book or its state changed.
    case applied
    /// Kept until a snapshot bridges to it.
    case buffered
    /// Older than the book.
    case ignored
    /// Kept, and the book is lost: ask for a snapshot now. Said once per loss.
    case needsSnapshot
}

/// Follows a book over the bus by (producer, epoch, sequence).
///
/// It decides one thing: whether its book equals the producer's at a position. It is never wrong and `live`: a
/// missing message makes it `syncing` with ``BookStateReason/busGap`` until a snapshot continues the stream. It may
/// lower what the producer declares, never raise it. It holds at most `bufferLimit` waiting messages; past that it
/// forgets them and waits for a later snapshot.
public struct BookReplica: Sendable {
    /// The levels; empty while `syncing`.
    public private(set) var book: Book
    /// The last message that the book contains, or that emptied it.
    public private(set) var position: StreamPosition?
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

    private enum Waiting {
        case delta(BookDelta, StreamPosition)
        case state(BookStateChange, StreamPosition)

        var position: StreamPosition {
            switch self {
            case .delta(_, let position), .state(_, let position): position
            }
        }
    }

    private let bufferLimit: Int
    private var declared = Declared(state: .syncing, reason: .snapshotPending, detail: "")
    private var lowered: Declared?
    private var hasBook = false
    private var isLost = true
    private var hasAsked = false
    /// Messages of the current epoch up to here are known to exist and were not all seen.
    private var required: UInt64 = 0
    private var buffer: [Waiting] = []

    /// An empty replica that waits for a snapshot.
    ///
    /// - Parameter bufferLimit: How many messages may wait for a snapshot.
    public init(bufferLimit: Int = 4_096) {
        self.bufferLimit = bufferLimit
        book = Book(priceScale: .zero, sizeScale: .zero)
    }

    /// What may be believed of the book.
    public var state: BookState { effective.state }

    /// Why.
    public var reason: BookStateReason { effective.reason }

    /// Words for a person.
    public var detail: String { effective.detail }

    /// A lowering counts only against a live book: everything else is already worse or as bad.
    private var effective: Declared {
        if declared.state == .live, let lowered { return lowered }
        return declared
    }

    /// Applies changed levels if they are the next message.
    public mutating func apply(_ delta: BookDelta, at position: StreamPosition) -> ReplicaOutcome {
        receive(.delta(delta, position))
    }

    /// Applies a declared state if it is the next message; `syncing` is taken at once, since it empties the book.
    public mutating func apply(_ change: BookStateChange, at position: StreamPosition) -> ReplicaOutcome {
        if change.state == .syncing, isNewer(position) {
            empty(at: position, declared: Declared(state: .syncing, reason: change.reason, detail: change.detail))
            receivedTime = change.receivedTime
            return .applied
        }
        return receive(.state(change, position))
    }

    /// Takes a snapshot if it is newer than the book and the waiting messages join on to it.
    public mutating func apply(_ snapshot: BookSnapshot) -> ReplicaOutcome {
        guard let continues = snapshot.continues else { return .ignored }
        if let position, !isAcceptable(continues, from: position) { return .ignored }
        buffer.removeAll { waiting in
            let position = waiting.position
            return position.epoch < continues.epoch
                || (position.epoch == continues.epoch && position.sequence <= continues.sequence)
        }
        if let first = buffer.first?.position,
            first.epoch != continues.epoch || first.sequence != continues.sequence + 1
        {
            return askOnce()
        }
        take(snapshot, continues)
        return drainBuffer()
    }

    /// Says that messages up to `sequence` of the current epoch exist, as a heartbeat tells; those not seen are lost.
    public mutating func lose(through sequence: UInt64, detail: String) -> ReplicaOutcome {
        guard let position, sequence > position.sequence else { return .ignored }
        if let last = buffer.last?.position, last.epoch == position.epoch, last.sequence >= sequence {
            return .buffered
        }
        // A snapshot must reach past what was lost; waiting messages before the loss are worthless.
        required = max(required, sequence)
        buffer.removeAll(keepingCapacity: true)
        if !isLost { lost(.busGap, detail) }
        return askOnce()
    }

    /// Lowers a live book to `suspect` or `stale` until ``restore()``; a worse declared state stays.
    public mutating func lower(to state: BookState, reason: BookStateReason, detail: String) {
        guard state != .live else { return }
        lowered = Declared(state: state, reason: reason, detail: detail)
    }

    /// Takes back what ``lower(to:reason:detail:)`` did.
    public mutating func restore() { lowered = nil }

    /// Allows the next loss to ask for a snapshot again, after an answer that did not help.
    public mutating func allowAsking() { hasAsked = false }

    /// Whether the book waits for a snapshot.
    public var isWaitingForSnapshot: Bool { isLost || !hasBook }

    /// The whole book as a message.
    public func snapshot() -> BookSnapshot {
        BookSnapshot(
            state: state, reason: reason, detail: detail, priceScale: book.priceScale, sizeScale: book.sizeScale,
            bids: book.bids.top(.max), asks: book.asks.top(.max), continues: position, venueTime: venueTime,
            receivedTime: receivedTime)
    }

    /// The best bid and ask as a message.
    public func top() -> BookTop {
        BookTop(
            state: state, reason: reason, priceScale: book.priceScale, sizeScale: book.sizeScale, bid: book.bestBid,
            ask: book.bestAsk, at: position, venueTime: venueTime, receivedTime: receivedTime)
    }

    // MARK: - Sequence

    private mutating func receive(_ message: Waiting) -> ReplicaOutcome {
        let next = message.position
        guard let position else { return keep(message) }
        if next.epoch < position.epoch { return .ignored }
        if next.epoch > position.epoch || next.producer != position.producer {
            if !isLost { lost(.busGap, "producer \(next.producer) started again") }
            return keep(message)
        }
        if next.sequence <= position.sequence { return .ignored }
        if isLost { return keep(message) }
        if next.sequence != position.sequence + 1 {
            lost(.busGap, "expected \(position.sequence + 1), received \(next.sequence)")
            return keep(message)
        }
        if !hasBook, case .delta = message {
            // The snapshot that must come before this delta was lost.
            lost(.busGap, "snapshot before \(next.sequence) is missing")
            return keep(message)
        }
        return applyNext(message)
    }

    private mutating func applyNext(_ message: Waiting) -> ReplicaOutcome {
        switch message {
        case .delta(let delta, let next):
            guard applyLevels(delta) else {
                lost(.numberOutOfRange, "a level does not fit")
                return askOnce()
            }
            position = next
            venueTime = delta.venueTime ?? venueTime
            receivedTime = delta.receivedTime
        case .state(let change, let next):
            position = next
            receivedTime = change.receivedTime
            // A book that has no levels stays empty, whatever is declared of it.
            if hasBook { declared = Declared(state: change.state, reason: change.reason, detail: change.detail) }
        }
        return .applied
    }

    private mutating func applyLevels(_ delta: BookDelta) -> Bool {
        do throws(BookError) {
            try book.refine(price: delta.priceScale, size: delta.sizeScale)
        } catch {
            return false
        }
        let priceFactor = book.priceScale.power / delta.priceScale.power
        let sizeFactor = book.sizeScale.power / delta.sizeScale.power
        for change in delta.changes {
            if priceFactor == 1, sizeFactor == 1 {
                book.apply(change)
                continue
            }
            let (price, first) = change.price.rawValue.multipliedReportingOverflow(by: priceFactor)
            let (size, second) = change.size.rawValue.multipliedReportingOverflow(by: sizeFactor)
            if first || second { return false }
            book.set(change.side, Price(price), Quantity(size))
        }
        return true
    }

    private func isNewer(_ next: StreamPosition) -> Bool {
        guard let position else { return true }
        return next.epoch > position.epoch || (next.epoch == position.epoch && next.sequence > position.sequence)
    }

    /// A snapshot at the book's own position is needed only while there is no book.
    private func isAcceptable(_ continues: StreamPosition, from position: StreamPosition) -> Bool {
        if continues.epoch != position.epoch { return continues.epoch > position.epoch }
        if isLost || !hasBook { return continues.sequence >= max(position.sequence, required) }
        return continues.sequence > position.sequence
    }

    // MARK: - Loss and recovery

    private mutating func take(_ snapshot: BookSnapshot, _ continues: StreamPosition) {
        book = Book(priceScale: snapshot.priceScale, sizeScale: snapshot.sizeScale)
        book.replace(bids: snapshot.bids, asks: snapshot.asks)
        hasBook = snapshot.state != .syncing
        if !hasBook { book.clear() }
        declared = Declared(state: snapshot.state, reason: snapshot.reason, detail: snapshot.detail)
        position = continues
        venueTime = snapshot.venueTime
        receivedTime = snapshot.receivedTime
        isLost = false
        hasAsked = false
        required = 0
    }

    private mutating func drainBuffer() -> ReplicaOutcome {
        let waiting = buffer
        buffer.removeAll(keepingCapacity: true)
        for (index, message) in waiting.enumerated() {
            let outcome = receive(message)
            if outcome == .needsSnapshot || outcome == .buffered {
                for later in waiting[(index + 1)...] { _ = receive(later) }
                return outcome
            }
        }
        return .applied
    }

    private mutating func empty(at position: StreamPosition, declared: Declared) {
        book.clear()
        hasBook = false
        isLost = false
        hasAsked = false
        buffer.removeAll(keepingCapacity: true)
        required = 0
        self.position = position
        self.declared = declared
    }

    private mutating func lost(_ reason: BookStateReason, _ detail: String) {
        gaps &+= 1
        isLost = true
        hasBook = false
        hasAsked = false
        book.clear()
        declared = Declared(state: .syncing, reason: reason, detail: detail)
    }

    private mutating func keep(_ message: Waiting) -> ReplicaOutcome {
        if let last = buffer.last?.position {
            let next = message.position
            if next.epoch == last.epoch, next.sequence <= last.sequence { return .ignored }
            // A hole among the waiting messages makes all before it worthless.
            if next.epoch != last.epoch || next.sequence != last.sequence + 1 { buffer.removeAll(keepingCapacity: true) }
        }
        if buffer.count >= bufferLimit {
            bufferOverflows &+= 1
            buffer.removeAll(keepingCapacity: true)
        }
        buffer.append(message)
        return askOnce()
    }

    private mutating func askOnce() -> ReplicaOutcome {
        if hasAsked { return .buffered }
        hasAsked = true
        return .needsSnapshot
    }
}
