/// What the broker keeps of one book: the last snapshot and every delta since it.
///
/// It decides one thing: whether both together bring a late joiner to the present. Where they do not (a
/// message was lost on the way to the broker, or the deltas grew past their bound), it keeps no half-truth
/// but says so.
struct BookRetention {
    /// Where a snapshot joins its delta stream.
    struct Position: Hashable {
        var producer: Int32
        var epoch: UInt64
        var sequence: UInt64
    }

    /// What became of a message.
    enum Outcome: Hashable {
        case kept
        /// Nothing new: seen before, or older than what is kept.
        case old
        /// Kept or not, the book is not whole: a snapshot is wanted.
        case incomplete
        /// Kept, and long enough that a fresh snapshot would help.
        case long
    }

    /// Bounds of one book's deltas.
    struct Limits {
        var deltas: Int
        var bytes: Int
    }

    /// The envelope of the snapshot; empty when there is none.
    private(set) var snapshot: [UInt8] = []
    /// What the snapshot continues; `nil` for one that names no position.
    private(set) var continues: Position?
    /// The last known position of the delta stream.
    private(set) var last: Position?
    /// Whether deltas were thrown away because they were too many.
    private(set) var isOverflown = false

    /// Whether messages are missing that no later message brings: only a snapshot helps.
    private(set) var isBroken = false

    /// The envelopes of the deltas after the snapshot, one after the other.
    private var log: [UInt8] = []
    private var ends: [Int] = []
    /// The number of the first delta in the log, when there is one.
    private var firstSequence: UInt64 = 0

    /// Deltas kept.
    var deltaCount: Int { ends.count }

    /// Bytes kept.
    var byteCount: Int { snapshot.count + log.count }

    /// Whether snapshot and deltas together are the present book.
    var isComplete: Bool {
        guard !snapshot.isEmpty, !isOverflown else { return false }
        guard let last else { return true }
        guard let continues, continues.producer == last.producer, continues.epoch == last.epoch else {
            return false
        }
        return ends.isEmpty ? continues.sequence == last.sequence : firstSequence == continues.sequence &+ 1
    }

    /// Takes the next message of the delta topic.
    mutating func take(delta envelope: UnsafeRawBufferPointer, at position: Position, limits: Limits)
        -> Outcome
    {
        if last?.producer != position.producer || last?.epoch != position.epoch { begin(position) }
        let known = last?.sequence ?? 0
        guard position.sequence > known else { return .old }
        let isNext = position.sequence == known &+ 1
        last?.sequence = position.sequence
        if !isNext {
            dropAll()
            isBroken = true
        }
        if isOverflown { return .incomplete }
        if ends.count >= limits.deltas || log.count + envelope.count > limits.bytes {
            giveUp()
            return .incomplete
        }
        if ends.isEmpty { firstSequence = position.sequence }
        log.append(contentsOf: envelope)
        ends.append(log.count)
        if !isComplete { return .incomplete }
        return ends.count * 2 > limits.deltas || log.count * 2 > limits.bytes ? .long : .kept
    }

    /// Takes a snapshot unless a newer one is kept, and drops the deltas that it contains.
    mutating func take(snapshot envelope: UnsafeRawBufferPointer, continuing position: Position?) -> Outcome {
        guard let position else {
            // It joins no stream, so it is only of use where there is none.
            guard last == nil else { return .old }
            keep(envelope, nil)
            return .kept
        }
        if let last {
            // Epochs tell the lives of one producer apart; those of two say nothing.
            if position.producer == last.producer, position.epoch < last.epoch { return .old }
            let isSameStream = position.epoch == last.epoch && position.producer == last.producer
            if isSameStream, let continues, isComplete, position.sequence < continues.sequence { return .old }
            // It ends before what was lost begins: it cannot be joined to the deltas kept.
            if isSameStream, !ends.isEmpty, position.sequence &+ 1 < firstSequence { return .old }
            if isSameStream, ends.isEmpty, position.sequence < last.sequence { return .old }
            if !isSameStream { dropAll() }
            self.last = isSameStream && last.sequence > position.sequence ? last : position
        } else {
            last = position
        }
        keep(envelope, position)
        isOverflown = false
        isBroken = false
        dropDeltas(through: position.sequence)
        return .kept
    }

    /// The envelopes of the deltas, in order; each pointer is valid inside `body` only.
    func forEachDelta(_ body: (UnsafeRawBufferPointer) -> Void) {
        log.withUnsafeBytes { bytes in
            var start = 0
            for end in ends {
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }

    /// Forgets what is kept, because all books together are too large.
    mutating func giveUp() {
        dropAll()
        isOverflown = true
        isBroken = true
    }

    /// A new life of the producer, or another one: its stream has nothing to do with what is kept.
    private mutating func begin(_ position: Position) {
        let joins = continues?.producer == position.producer && continues?.epoch == position.epoch
        if joins, let continues {
            last = continues
            return
        }
        dropAll()
        isOverflown = false
        isBroken = position.sequence > 1
        last = Position(producer: position.producer, epoch: position.epoch, sequence: position.sequence &- 1)
    }

    private mutating func keep(_ envelope: UnsafeRawBufferPointer, _ position: Position?) {
        snapshot.removeAll(keepingCapacity: true)
        snapshot.append(contentsOf: envelope)
        continues = position
    }

    private mutating func dropDeltas(through sequence: UInt64) {
        guard !ends.isEmpty, sequence >= firstSequence else { return }
        let count = Int(clamping: sequence - firstSequence &+ 1)
        guard count < ends.count else {
            dropLog()
            return
        }
        let bytes = ends[count - 1]
        log.removeFirst(bytes)
        ends.removeFirst(count)
        for index in ends.indices { ends[index] -= bytes }
        firstSequence += UInt64(count)
    }

    private mutating func dropAll() {
        dropLog()
        snapshot = []
        continues = nil
    }

    private mutating func dropLog() {
        // A usual log keeps its memory for the next deltas, a long one gives it back.
        log.removeAll(keepingCapacity: log.capacity <= 4 << 10)
        ends.removeAll(keepingCapacity: ends.capacity <= 128)
    }
}
