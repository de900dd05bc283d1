import Bus
import Instruments
import MarketData
import Wire

/// The books with what ties them to the bus: batches in, messages in an outgoing batch out.
///
/// Everything in it happens in one call per batch, under one lock.
struct BuilderCore: Sendable {
    /// What a topic of the bus is to us.
    private enum Kind: Sendable {
        case unknown
        case delta(BookIndex)
        case snapshot(BookIndex)
        case heartbeat
        case other
    }

    /// The topics that we publish a book on.
    private struct Topics: Sendable {
        let top: PublisherTopic
        let snapshot: PublisherTopic
    }

    /// The books.
    private(set) var set: BookSet
    /// Messages that could not be decoded, or were not what their topic says.
    private(set) var malformed: UInt64 = 0
    /// Messages that the publisher refused.
    private(set) var refused: UInt64 = 0
    /// Whether the subscriptions hold and the broker has answered once.
    private(set) var isSynchronized = false
    private var kinds: [Kind] = []
    private var booksByDeltaTopic: [String: BookIndex] = [:]
    private var topics: [Topics?] = []
    /// The life of each producer that was last heard, by the subscriber's number.
    private var heard: [UInt64] = []
    private var batch = OutboundBatch()
    private var requests: [String] = []
    private let publisher: Publisher
    private let archive: ArchiveQueue?
    private let requestState: @Sendable ([String]) -> Void

    init(
        configuration: BookBuildingConfiguration, publisher: Publisher, archive: ArchiveQueue?,
        requestState: @escaping @Sendable ([String]) -> Void
    ) {
        set = BookSet(
            limit: configuration.maximumBooks,
            snapshotInterval: configuration.snapshotInterval.wholeNanoseconds)
        self.publisher = publisher
        self.archive = archive
        self.requestState = requestState
    }

    /// Everything that one batch of the bus says, done.
    mutating func take(_ batch: BusBatch, at now: Timestamp) {
        for event in batch.events {
            switch event {
            case .message(let message): take(message, batch, now)
            case .gap(let gap): take(gap, batch, now)
            case .overflow: break
            case .producerSilent(let name): set.silent(name, at: now)
            case .producerBack(let name): back(name, now)
            case .producerRestarted(let name, let epoch): set.restarted(name, epoch: epoch, at: now)
            case .busSilent: set.bus(isSilent: true, at: now)
            case .synchronized: set.answer(isPending: true)
            case .stateAnswered:
                set.answer(isPending: false)
                isSynchronized = true
            }
        }
        settle()
    }

    /// Lets time act.
    mutating func tick(at now: Timestamp) {
        set.tick(at: now)
        settle()
    }

    /// What the broker wants.
    mutating func take(_ event: PublisherEvent, at now: Timestamp) {
        switch event {
        case .brokerAppeared: set.tellAll(at: now)
        case .brokerLost: break
        case .snapshotWanted(let topic):
            if let id = Topic.instrument(in: topic), let index = set.find(id) { set.want(index, at: now) }
        }
        settle()
    }

    /// The end.
    mutating func finish(at now: Timestamp) {
        set.finish(at: now)
        settle()
    }

    // MARK: - In

    private mutating func take(_ message: BusMessage, _ batch: BusBatch, _ now: Timestamp) {
        if !message.isRetained { hear(message, batch, now) }
        switch kind(of: message.topic, batch, now) {
        case .delta(let index):
            switch try? batch.decode(message) {
            case .bookDelta(let id, let delta)? where id == set[index].id:
                set.receive(.delta(delta, batch.position(of: message)), of: index, at: now)
            case .bookStateChange(let id, let change)? where id == set[index].id:
                set.receive(.change(change, batch.position(of: message)), of: index, at: now)
            default: malformed &+= 1
            }
        case .snapshot(let index):
            let producer = batch.producer(message.producer)
            let origin = SnapshotOrigin(
                isOwn: producer == publisher.producer && message.epoch == publisher.epoch,
                isRetained: message.isRetained)
            // Not even decoded: our own words come back once a second and book.
            if origin.isOwn, !origin.isRetained { return }
            guard case .bookSnapshot(let id, let snapshot)? = try? batch.decode(message), id == set[index].id
            else {
                malformed &+= 1
                return
            }
            set.receive(.snapshot(snapshot, origin), of: index, at: now)
        case .heartbeat: takeHeartbeat(message, batch, now)
        case .other, .unknown: break
        }
    }

    private mutating func takeHeartbeat(_ message: BusMessage, _ batch: BusBatch, _ now: Timestamp) {
        guard case .heartbeat(let heartbeat)? = try? batch.decode(message) else {
            malformed &+= 1
            return
        }
        var position = batch.position(of: message)
        for (topic, sequence) in zip(heartbeat.topics, heartbeat.sequences) {
            guard let index = booksByDeltaTopic[topic] else { continue }
            position.sequence = sequence
            set.told(index, last: position, at: now)
        }
    }

    private mutating func take(_ gap: BusGap, _ batch: BusBatch, _ now: Timestamp) {
        switch kind(of: gap.topic, batch, now) {
        case .delta(let index):
            // A gap that a message revealed is found by the message's own number.
            if gap.cause != .sequence { set.lost(index, expected: gap.expected, at: now) }
        case .snapshot(let index):
            guard batch.producer(gap.producer) != publisher.producer else { return }
            set.lost(index, expected: nil, at: now)
        case .heartbeat, .other, .unknown: break
        }
    }

    private mutating func hear(_ message: BusMessage, _ batch: BusBatch, _ now: Timestamp) {
        let offset = Int(message.producer.rawValue)
        while heard.count <= offset { heard.append(0) }
        guard heard[offset] != message.epoch || set.presence.isBusSilent else { return }
        heard[offset] = message.epoch
        set.heard(batch.producer(message.producer), epoch: message.epoch, at: now)
    }

    private mutating func back(_ name: String, _ now: Timestamp) {
        // Its life has not changed: the largest one known stays.
        set.heard(name, epoch: 0, at: now)
    }

    private mutating func kind(of topic: BusTopicIndex, _ batch: BusBatch, _ now: Timestamp) -> Kind {
        let offset = Int(topic.rawValue)
        while kinds.count <= offset { kinds.append(.unknown) }
        if case .unknown = kinds[offset] { kinds[offset] = classify(batch.topic(topic), now) }
        return kinds[offset]
    }

    private mutating func classify(_ text: String, _ now: Timestamp) -> Kind {
        if text.hasPrefix("heartbeat.") { return .heartbeat }
        guard let id = Topic.instrument(in: text) else { return .other }
        let isDelta = text.hasPrefix("book.delta.")
        guard isDelta || text.hasPrefix("book.snapshot."), let index = set.index(of: id, at: now) else {
            return .other
        }
        while topics.count <= index.rawValue { topics.append(nil) }
        if topics[index.rawValue] == nil,
            let top = try? publisher.topic(Topic.bookTop(id)),
            let whole = try? publisher.topic(Topic.bookSnapshot(id))
        {
            topics[index.rawValue] = Topics(top: top, snapshot: whole)
        }
        booksByDeltaTopic[Topic.bookDelta(id)] = index
        return isDelta ? .delta(index) : .snapshot(index)
    }

    // MARK: - Out

    private mutating func settle() {
        for output in set.outputs {
            switch output {
            case .top(let index, let top):
                guard let topics = topics[index.rawValue] else { continue }
                batch.append(.bookTop(set[index].id, top), to: topics.top)
            case .snapshot(let index, let snapshot):
                guard let topics = topics[index.rawValue] else { continue }
                batch.append(.bookSnapshot(set[index].id, snapshot), to: topics.snapshot)
            case .archive(let index, let snapshot): archive?.offer(snapshot, of: set[index].id)
            case .request(let index):
                let id = set[index].id
                requests += [Topic.bookSnapshot(id), Topic.bookDelta(id)]
            }
        }
        set.outputs.removeAll(keepingCapacity: true)
        if !requests.isEmpty {
            requestState(requests)
            requests.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty {
            let count = batch.count
            // Tops that were refused are told again with the next change; a refusal is counted and seen as a
            // gap.
            if !publisher.offer(&batch) { refused &+= UInt64(count) }
        }
    }
}
