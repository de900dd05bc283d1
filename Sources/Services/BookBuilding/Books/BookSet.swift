import Instruments
import MarketData

/// All books of a book-builder: what came over the bus in, what to publish, store and ask for out.
///
/// It decides what may be said of each book, and knows no socket, clock or logger: time is passed in. It
/// follows the producer's stream and may lower what the producer says, never raise it. It says a top whenever
/// the best prices or the state change, a whole book at most once an interval, and asks the broker, ever more
/// slowly, while a book waits.
struct BookSet: Sendable {
    /// Counts since the start.
    struct Counts: Hashable, Sendable {
        var deltas: UInt64 = 0
        var snapshots: UInt64 = 0
        var tops: UInt64 = 0
        var requests: UInt64 = 0
        /// Messages of more instruments than are followed.
        var refused: UInt64 = 0
    }

    /// What to do, in order; whoever does it empties it.
    var outputs: [BookOutput] = []
    /// Counts since the start.
    private(set) var counts = Counts()
    private(set) var entries: [BookEntry] = []
    var presence = ProducerPresence()
    private var indices: [InstrumentID: BookIndex] = [:]
    private let limit: Int
    /// Nanoseconds.
    private let snapshotInterval: Int64
    /// Whether the broker has been asked for everything that it keeps and has not answered.
    private var isAnswerPending = true

    /// How long a book that no longer changes is kept before it is stored, nanoseconds.
    private static let quiet: Int64 = 60_000_000_000

    /// - Parameters:
    ///   - limit: Books at the most.
    ///   - snapshotInterval: Nanoseconds between two whole books of one instrument at least.
    init(limit: Int, snapshotInterval: Int64) {
        self.limit = limit
        self.snapshotInterval = snapshotInterval
    }

    /// The place of an instrument's book, which may be new; `nil` when there are too many.
    mutating func index(of id: InstrumentID, at now: Timestamp) -> BookIndex? {
        if let known = indices[id] { return known }
        guard entries.count < limit else {
            counts.refused &+= 1
            return nil
        }
        let index = BookIndex(rawValue: entries.count)
        entries.append(BookEntry(id: id, at: now))
        indices[id] = index
        return index
    }

    /// The place of an instrument's book; `nil` when it is not known.
    func find(_ id: InstrumentID) -> BookIndex? { indices[id] }

    subscript(index: BookIndex) -> BookEntry { entries[index.rawValue] }

    // MARK: - Messages

    /// One message about one book.
    mutating func receive(_ message: BookMessage, of index: BookIndex, at now: Timestamp) {
        let outcome: ReplicaOutcome
        switch message {
        case .delta(let delta, let position):
            counts.deltas &+= 1
            storeBefore(delta.venueTime ?? delta.receivedTime, index)
            outcome = entries[index.rawValue].replica.apply(delta, at: position)
        case .change(let change, let position):
            outcome = entries[index.rawValue].replica.apply(change, at: position)
        case .snapshot(let snapshot, let origin):
            // Our own live words tell us nothing. What the broker kept of them, together with the deltas
            // since, may be the only way back after a loss.
            if origin.isOwn, !origin.isRetained || !entries[index.rawValue].replica.isWaitingForSnapshot {
                return
            }
            counts.snapshots &+= 1
            storeBefore(snapshot.venueTime ?? snapshot.receivedTime, index)
            outcome = entries[index.rawValue].replica.apply(Self.undoubted(snapshot))
        }
        switch outcome {
        case .ignored: return
        case .buffered: break
        case .needsSnapshot:
            // While the answer about everything is under way, asking about one book would only make it come
            // twice.
            if isAnswerPending { entries[index.rawValue].asked(at: now) } else { request(index, at: now) }
        case .applied:
            entries[index.rawValue].isChanged = true
            entries[index.rawValue].isUnstored = true
            entries[index.rawValue].isDepthChanged = true
            entries[index.rawValue].changedAt = now
        }
        settle(index, at: now)
    }

    /// The snapshot as its producer would have said it.
    ///
    /// Only a book-builder says that the bus is silent, and only of a book that its producer called live.
    /// Whether the producer is there now is for us to find out.
    private static func undoubted(_ snapshot: BookSnapshot) -> BookSnapshot {
        guard snapshot.reason == .busSilent, snapshot.state != .syncing else { return snapshot }
        var snapshot = snapshot
        snapshot.state = .live
        snapshot.reason = .verified
        snapshot.detail = ""
        return snapshot
    }

    /// Messages of a book's topics are missing that no later message has revealed.
    ///
    /// `expected` is the first missing number of the delta topic, `nil` when a snapshot is missing.
    mutating func lost(_ index: BookIndex, expected: UInt64?, at now: Timestamp) {
        let entry = entries[index.rawValue]
        // Numbers of a later life mean nothing to a book of the last one: only a snapshot helps it.
        let isPast = entry.follows.map { presence.isPast($0.producer, epoch: $0.epoch) } ?? true
        var isAsking = entry.replica.isWaitingForSnapshot || isPast
        if let expected, !isPast {
            let outcome = entries[index.rawValue].replica.lose(
                through: expected, detail: "message \(expected) is missing")
            isAsking = isAsking || outcome == .needsSnapshot
        }
        if isAsking { request(index, at: now) }
        settle(index, at: now)
    }

    /// A heartbeat names the last message of a book's delta topic: what of the stream has not come is lost.
    ///
    /// The bus compares heartbeats with what came live. It cannot know where a book stands that came from the
    /// broker.
    mutating func told(_ index: BookIndex, last position: StreamPosition, at now: Timestamp) {
        let outcome = entries[index.rawValue].replica.tell(
            last: position, detail: "message \(position.sequence) is missing")
        if outcome == .ignored { return }
        if outcome == .needsSnapshot { request(index, at: now) }
        settle(index, at: now)
    }

    /// A whole book is wanted on the bus, now if there is one.
    mutating func want(_ index: BookIndex, at now: Timestamp) {
        entries[index.rawValue].isWanted = true
        tellWhole(index, at: now)
    }

    /// A broker is there that may know nothing: everything is told again.
    mutating func tellAll(at now: Timestamp) {
        for offset in entries.indices { publish(.init(rawValue: offset), at: now) }
    }

    /// One book is told again.
    mutating func publish(_ index: BookIndex, at now: Timestamp) {
        outputs.append(.top(index, entries[index.rawValue].replica.top()))
        entries[index.rawValue].isDepthChanged = true
        want(index, at: now)
    }

    /// The books that changed since the last call.
    mutating func takeChanged() -> [BookIndex] {
        let changed = entries.indices.filter { entries[$0].isDepthChanged }
        for offset in changed { entries[offset].isDepthChanged = false }
        return changed.map { BookIndex(rawValue: $0) }
    }

    /// The subscriptions hold, and the broker is being asked for everything, or has answered.
    mutating func answer(isPending: Bool) { isAnswerPending = isPending }

    // MARK: - Producers

    /// A live message or a heartbeat of a producer came.
    mutating func heard(_ producer: String, epoch: UInt64, at now: Timestamp) {
        presence.heard(presence.index(of: producer, at: now), epoch: epoch)
        judgeAll(at: now)
    }

    /// Nothing came from a producer for three seconds.
    mutating func silent(_ producer: String, at now: Timestamp) {
        presence.silent(presence.index(of: producer, at: now))
        for offset in entries.indices { entries[offset].replica.forsake(producer) }
        judgeAll(at: now)
    }

    /// A producer began a new life.
    mutating func restarted(_ producer: String, epoch: UInt64, at now: Timestamp) {
        presence.restarted(presence.index(of: producer, at: now), epoch: epoch)
        for offset in entries.indices {
            let outcome = entries[offset].replica.restarted(producer, epoch: epoch)
            if outcome == .needsSnapshot { request(BookIndex(rawValue: offset), at: now) }
        }
        judgeAll(at: now)
    }

    /// Nothing at all came for three seconds, or the bus is there again.
    mutating func bus(isSilent: Bool, at now: Timestamp) {
        guard presence.isBusSilent != isSilent else { return }
        presence.bus(isSilent: isSilent)
        judgeAll(at: now)
    }

    private mutating func judgeAll(at now: Timestamp) {
        for offset in entries.indices { settle(BookIndex(rawValue: offset), at: now) }
    }

    // MARK: - Time

    /// Lets time act; called a few times a second.
    mutating func tick(at now: Timestamp) {
        for offset in entries.indices {
            let index = BookIndex(rawValue: offset)
            settle(index, at: now)
            if entries[offset].replica.isWaitingForSnapshot {
                if entries[offset].askAt == nil { entries[offset].asked(at: now) }
                if let due = entries[offset].askAt, due <= now { request(index, at: now) }
                continue
            }
            let waited = now.nanoseconds(since: entries[offset].toldWholeAt)
            if entries[offset].isWanted || entries[offset].isChanged && waited >= snapshotInterval {
                tellWhole(index, at: now)
            }
            if now.nanoseconds(since: entries[offset].changedAt) >= Self.quiet { store(index) }
        }
    }

    /// The end: every changed book is told, and stored as the last of its minute so far.
    mutating func finish(at now: Timestamp) {
        for offset in entries.indices {
            let index = BookIndex(rawValue: offset)
            if entries[offset].isChanged { tellWhole(index, at: now) }
            store(index)
        }
    }

    // MARK: - What follows from a change

    private mutating func settle(_ index: BookIndex, at now: Timestamp) {
        let offset = index.rawValue
        judge(offset, at: now)
        if !entries[offset].replica.isWaitingForSnapshot, entries[offset].askAt != nil {
            entries[offset].settled()
        }
        guard let top = entries[offset].newTop() else { return }
        entries[offset].isDepthChanged = true
        counts.tops &+= 1
        outputs.append(.top(index, top))
        let isLive = top.state == .live
        if isLive { entries[offset].notLiveSince = nil }
        if !isLive, entries[offset].notLiveSince == nil { entries[offset].notLiveSince = now }
        entries[offset].isChanged = true
    }

    /// Lowers a book whose producer is not there, or takes that back.
    private mutating func judge(_ offset: Int, at now: Timestamp) {
        guard let position = entries[offset].replica.position else { return }
        let follows: (producer: Int, epoch: UInt64)
        if let known = entries[offset].follows, known.epoch == position.epoch {
            follows = known
        } else {
            follows = (presence.index(of: position.producer, at: now), position.epoch)
            entries[offset].follows = follows
        }
        if let doubt = presence.doubt(follows.producer, epoch: follows.epoch, at: now) {
            // As it is now it is still the last good book of its minute.
            store(BookIndex(rawValue: offset))
            entries[offset].replica.lower(to: .stale, reason: .busSilent, detail: doubt)
        } else {
            entries[offset].replica.restore()
        }
    }

    private mutating func request(_ index: BookIndex, at now: Timestamp) {
        entries[index.rawValue].asked(at: now)
        counts.requests &+= 1
        outputs.append(.request(index))
    }

    /// Tells the whole book if there is one.
    ///
    /// An empty book is never told: what the broker keeps, the last whole book and the declaration that
    /// emptied it, is worth more to a late joiner.
    private mutating func tellWhole(_ index: BookIndex, at now: Timestamp) {
        guard !entries[index.rawValue].replica.isWaitingForSnapshot else { return }
        entries[index.rawValue].isWanted = false
        entries[index.rawValue].isChanged = false
        entries[index.rawValue].toldWholeAt = now
        outputs.append(.snapshot(index, entries[index.rawValue].replica.snapshot()))
    }

    /// Stores the book before a change of another minute: it is the last of its own.
    @inline(__always)
    private mutating func storeBefore(_ time: Timestamp, _ index: BookIndex) {
        guard entries[index.rawValue].isUnstored, BookEntry.minute(time) != entries[index.rawValue].minute
        else { return }
        store(index)
    }

    private mutating func store(_ index: BookIndex) {
        let entry = entries[index.rawValue]
        guard entry.isUnstored, entry.replica.state == .live else { return }
        entries[index.rawValue].isUnstored = false
        outputs.append(.archive(index, entry.replica.snapshot()))
    }
}
