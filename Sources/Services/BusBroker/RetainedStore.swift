import Bus
import Wire

/// What the broker remembers of the messages that pass: their numbers, the last message of each state topic,
/// and of each book the last snapshot with the deltas since.
///
/// Knows no socket and no clock; times are nanoseconds that the caller passes in. Bounded in topics and in
/// bytes.
struct RetainedStore {
    /// What to do with a message beside remembering it.
    enum Intake: Hashable {
        case forward
        /// Forward it, and ask the publishers for a snapshot of this book.
        case forwardAndAsk(book: Int)
        /// Neither topic nor envelope: do not forward.
        case malformed
        /// Of more topics than the broker follows, of an epoch in the future, or a heartbeat on another's
        /// topic: do not forward.
        case refused
    }

    /// Running totals and present sizes.
    struct Figures: Hashable {
        var missing: UInt64 = 0
        var refusedBytes: UInt64 = 0
        var refusedTopics: UInt64 = 0
        var retainedBytes = 0
        var retainedMessages = 0
        var snapshotsAsked: UInt64 = 0
        /// Heartbeats on a topic that is not their producer's.
        var foreignHeartbeats: UInt64 = 0
        /// Messages of an epoch that is in the future.
        var futureEpochs: UInt64 = 0
        /// Topics and producers that were forgotten because they were silent for long, or had ended.
        var forgottenTopics: UInt64 = 0
        var forgottenProducers: UInt64 = 0
    }

    enum Kind {
        case passing
        case heartbeat
        case lastValue
        case delta(book: Int)
        case snapshot(book: Int)

        /// Whether something is kept of it but its number.
        var isRetained: Bool {
            switch self {
            case .passing, .heartbeat: false
            case .lastValue, .delta, .snapshot: true
            }
        }
    }

    struct Record {
        let kind: Kind
        /// Tells the topic from those that had its number before.
        let life: UInt64
        var producer: Int32 = -1
        var epoch: UInt64 = 0
        var last: UInt64 = 0
        var value: [UInt8] = []
        /// When a message came or a heartbeat named it, in the time of ``listened``.
        var heardAt: Int64 = 0
        /// Its last message said that it was the last.
        var hasEnded = false
    }

    struct Producer {
        var epoch: UInt64 = 0
        var heardAt: Int64 = 0
        /// The same in the time of ``listened``.
        var listenedAt: Int64 = 0
        /// Its heartbeats name its topics: one that they do not name any more is not its own any more.
        var namesTopics = false
    }

    struct Book {
        var retention = BookRetention()
        /// When its publishers were last asked for a snapshot; at first, when it was first heard of.
        var askedAt: Int64
        var wasAsked = false
        /// Tells the book from those that had its number before.
        let life: UInt64
        /// Topics that it has: with the last one it goes.
        var topics = 0
    }

    /// A book's publishers are asked for a snapshot at most this often.
    ///
    /// Nanoseconds.
    private static let askInterval: Int64 = 2_000_000_000
    /// An earlier life of a producer counts as a clock that was set back once the later one is silent for so
    /// long.
    ///
    /// Nanoseconds.
    private static let silence: Int64 = 3_000_000_000

    let limits: BrokerLimits
    var topics: TopicTable
    var records: [Record] = []
    var producerTable = TopicTable(limit: 4_096)
    var producers: [Producer] = []
    var bookTable: TopicTable
    var books: [Book] = []
    /// Retained topics in the order of their bytes, up to `sortedCount`, then in the order of their
    /// appearance.
    var retained: [Int32] = []
    var sortedCount = 0
    /// Topics and books so far: see `life` of each.
    private var lives: UInt64 = 0
    /// What the broker's own standing still is not counted in.
    var listened = ListenedTime()
    /// The latest epoch that is believed; see `PublisherEpoch`.
    var latestEpoch = UInt64.max
    /// When the silent are looked for next, in the time of ``listened``.
    var nextSweep: Int64 = 0

    /// Totals and sizes.
    var figures = Figures()

    init(limits: BrokerLimits) {
        self.limits = limits
        topics = TopicTable(limit: limits.topics)
        bookTable = TopicTable(limit: limits.topics)
    }

    /// Topics known.
    var topicCount: Int { topics.count }
    /// Producers known.
    var producerCount: Int { producerTable.count }
    /// Books known.
    var bookCount: Int { bookTable.count }
    /// Books that cannot be answered whole at present.
    var incompleteBookCount: Int {
        books.reduce(0) { $1.topics == 0 || $1.retention.isComplete ? $0 : $0 + 1 }
    }

    /// The snapshot topic of a book, to ask its publishers by.
    func snapshotTopic(of book: Int) -> String { "book.snapshot.\(bookTable.text(book))" }

    // MARK: - Messages

    /// Looks at one message on its way from a publisher to the subscribers.
    mutating func take(topic name: UnsafeRawBufferPointer, envelope: UnsafeRawBufferPointer, now: Int64)
        -> Intake
    {
        guard let scan = EnvelopeScan(envelope) else { return .malformed }
        guard scan.epoch <= latestEpoch else {
            figures.futureEpochs &+= 1
            return .refused
        }
        guard let index = topics.find(name) else { return takeFirst(name, envelope, scan, now) }
        return take(index, envelope, scan, now)
    }

    private mutating func takeFirst(
        _ name: UnsafeRawBufferPointer, _ envelope: UnsafeRawBufferPointer, _ scan: EnvelopeScan, _ now: Int64
    ) -> Intake {
        guard (1...255).contains(name.count), name.last == UInt8(ascii: "."),
            name.first != SynchronizationToken.mark, let text = String(validating: name, as: UTF8.self)
        else { return .malformed }
        guard !HeartbeatTopic.isOne(name) || HeartbeatTopic.isOwn(name, of: scan.producer) else {
            figures.foreignHeartbeats &+= 1
            return .refused
        }
        guard let index = topics.intern(name) else {
            figures.refusedTopics &+= 1
            return .refused
        }
        let kind = kind(of: text, now)
        put(Record(kind: kind, life: nextLife(), heardAt: listened.nanoseconds), at: index)
        if kind.isRetained { retained.append(Int32(index)) }
        return take(index, envelope, scan, now)
    }

    private mutating func put(_ record: Record, at index: Int) {
        if index < records.count { records[index] = record } else { records.append(record) }
    }

    private mutating func nextLife() -> UInt64 {
        lives += 1
        return lives
    }

    private mutating func take(
        _ index: Int, _ envelope: UnsafeRawBufferPointer, _ scan: EnvelopeScan, _ now: Int64
    ) -> Intake {
        if case .heartbeat = records[index].kind, !isOwnBeat(index, scan.producer) {
            figures.foreignHeartbeats &+= 1
            return .refused
        }
        records[index].heardAt = listened.nanoseconds
        guard let producer = note(index, scan, now) else { return .forward }
        records[index].hasEnded = scan.isTombstone
        if scan.isTombstone {
            end(index)
            return .forward
        }
        switch records[index].kind {
        case .passing:
            return .forward
        case .heartbeat:
            hear(envelope, of: Int(producer))
            return .forward
        case .lastValue:
            keep(envelope, at: index)
            return .forward
        case .delta(let book):
            let position = BookRetention.Position(
                producer: producer, epoch: scan.epoch, sequence: scan.sequence)
            return account(book, now) { retention, limits in
                retention.take(delta: envelope, at: position, limits: limits)
            }
        case .snapshot(let book):
            let position = continued(by: envelope)
            return account(book, now) { retention, _ in
                retention.take(snapshot: envelope, continuing: position)
            }
        }
    }

    /// Whether a heartbeat is on its producer's own topic, which was looked at when its first one came.
    private func isOwnBeat(_ index: Int, _ producer: UnsafeRawBufferPointer) -> Bool {
        let known = Int(records[index].producer)
        if known >= 0, producerTable.isName(known, producer) { return true }
        return topics.withName(index) { HeartbeatTopic.isOwn($0, of: producer) }
    }

    /// Counts what is missing before the message; `nil` when nothing of it may be retained, because it was
    /// seen before or is of a past life.
    private mutating func note(_ index: Int, _ scan: EnvelopeScan, _ now: Int64) -> Int32? {
        let known = records[index].producer
        let producer: Int
        if known >= 0, producerTable.isName(Int(known), scan.producer) {
            producer = Int(known)
        } else {
            guard let found = self.producer(scan.producer) else { return nil }
            producer = found
        }
        guard admit(producer, scan.epoch, now) else { return nil }
        let isSameStream = known == Int32(producer) && records[index].epoch == scan.epoch
        let last = records[index].last
        if isSameStream, scan.sequence <= last { return nil }
        if isSameStream, last != 0 { figures.missing &+= scan.sequence &- last &- 1 }
        records[index].producer = Int32(producer)
        records[index].epoch = scan.epoch
        records[index].last = scan.sequence
        return Int32(producer)
    }

    private mutating func admit(_ index: Int, _ epoch: UInt64, _ now: Int64) -> Bool {
        let producer = producers[index]
        if epoch < producer.epoch, now - producer.heardAt <= Self.silence { return false }
        producers[index].epoch = epoch
        producers[index].heardAt = now
        producers[index].listenedAt = listened.nanoseconds
        return true
    }

    private mutating func producer(_ name: UnsafeRawBufferPointer) -> Int? {
        if let index = producerTable.find(name) { return index }
        guard let index = producerTable.intern(name) else { return nil }
        let new = Producer(listenedAt: listened.nanoseconds)
        if index < producers.count { producers[index] = new } else { producers.append(new) }
        return index
    }

    private mutating func kind(of topic: String, _ now: Int64) -> Kind {
        for (prefix, isDelta) in [("book.delta.", true), ("book.snapshot.", false)]
        where topic.hasPrefix(prefix) {
            let suffix = Array(topic.utf8.dropFirst(prefix.utf8.count))
            guard let book = suffix.withUnsafeBytes({ bookTable.intern($0) }) else { return .passing }
            let isNew = book == books.count || books[book].topics == 0
            if isNew {
                let new = Book(askedAt: now, life: nextLife())
                if book == books.count { books.append(new) } else { books[book] = new }
            }
            books[book].topics += 1
            return isDelta ? .delta(book: book) : .snapshot(book: book)
        }
        if topic.hasPrefix("heartbeat.") { return .heartbeat }
        return Topic.isState(topic) ? .lastValue : .passing
    }

    private mutating func keep(_ envelope: UnsafeRawBufferPointer, at index: Int) {
        let before = records[index].value.count
        guard figures.retainedBytes - before + envelope.count <= limits.bytes else {
            figures.refusedBytes &+= UInt64(envelope.count)
            // The state of before is not the present one any more.
            if before > 0 { figures.retainedMessages -= 1 }
            figures.retainedBytes -= before
            records[index].value = []
            return
        }
        if before == 0 { figures.retainedMessages += 1 }
        records[index].value.removeAll(keepingCapacity: true)
        records[index].value.append(contentsOf: envelope)
        figures.retainedBytes += envelope.count - before
    }

    /// Lets the book take a message, keeps the sums, and decides whether to ask for a snapshot.
    private mutating func account(
        _ book: Int, _ now: Int64,
        _ take: (inout BookRetention, BookRetention.Limits) -> BookRetention.Outcome
    ) -> Intake {
        let before = books[book].retention.byteCount
        let countBefore = Self.messages(of: books[book].retention)
        let outcome = take(&books[book].retention, limits.book)
        figures.retainedBytes += books[book].retention.byteCount - before
        if figures.retainedBytes > limits.bytes, outcome != .old {
            figures.refusedBytes &+= UInt64(books[book].retention.byteCount)
            figures.retainedBytes -= books[book].retention.byteCount
            books[book].retention.giveUp()
        }
        figures.retainedMessages += Self.messages(of: books[book].retention) - countBefore
        switch outcome {
        case .kept, .old: return .forward
        case .incomplete, .long: return ask(book, now) ? .forwardAndAsk(book: book) : .forward
        }
    }

    static func messages(of retention: BookRetention) -> Int {
        retention.deltaCount + (retention.snapshot.isEmpty ? 0 : 1)
    }

    /// Whether the book's publishers should be asked for a snapshot now.
    ///
    /// A book that has just begun gets its snapshot by itself: it is asked for only when that takes long.
    mutating func ask(_ book: Int, _ now: Int64) -> Bool {
        let isUrgent = !books[book].wasAsked && books[book].retention.isBroken
        guard isUrgent || now - books[book].askedAt >= Self.askInterval else { return false }
        books[book].askedAt = now
        books[book].wasAsked = true
        figures.snapshotsAsked &+= 1
        return true
    }

    /// The position that a snapshot names: field 11 of the envelope's field 21.
    private mutating func continued(by envelope: UnsafeRawBufferPointer) -> BookRetention.Position? {
        guard let snapshot = EnvelopeScan.event(21, in: envelope) else { return nil }
        var reader = ProtoReader(snapshot)
        var found: UnsafeRawBufferPointer?
        while let field = reader.next() {
            if field.number == 11 { found = field.bytes }
        }
        guard !reader.isMalformed, let found else { return nil }
        var position = ProtoReader(found)
        var (name, epoch, sequence): (UnsafeRawBufferPointer?, UInt64, UInt64) = (nil, 0, 0)
        while let field = position.next() {
            switch field.number {
            case 1: name = field.bytes
            case 2: epoch = field.value
            case 3: sequence = field.value
            default: break
            }
        }
        guard !position.isMalformed, let name, (1...127).contains(name.count), let index = producer(name)
        else { return nil }
        return BookRetention.Position(producer: Int32(index), epoch: epoch, sequence: sequence)
    }
}
