import Bus
import Instruments
import MarketData
import MarketStore
import Wire

/// The books with what ties them to the bus: batches in, messages in an outgoing batch out.
///
/// Everything in it happens in one call per batch, under one lock.
struct BuilderCore: Sendable {
    /// What a topic of the bus is to us.
    enum Kind: Sendable {
        case unknown
        case delta(BookIndex)
        case snapshot(BookIndex)
        case trade(Int)
        case stored(Int)
        case ticker(Int)
        case heartbeat
        case other
    }

    /// The topics that we publish a book on.
    struct Topics: Sendable {
        let top: PublisherTopic
        let snapshot: PublisherTopic
        let depth: PublisherTopic
    }

    var set: BookSet
    /// The candles and tickers.
    var board: MarketSet
    /// What is told of them.
    var market: MarketPublisher
    /// What is told of all markets of an asset together.
    private(set) var indices: IndexPublisher
    /// Messages that could not be decoded, or were not what their topic says.
    private(set) var malformed: UInt64 = 0
    /// Messages that the publisher refused.
    var refused: UInt64 = 0
    /// Whether what was refused is to be told again.
    ///
    /// It is not on the bus, and a book that stands still would not say it again. Candles are stored, and
    /// read from there.
    var isOwing = false
    /// Whether the subscriptions hold and the broker has answered once.
    private(set) var isSynchronized = false
    var kinds: [Kind] = []
    private var booksByDeltaTopic: [String: BookIndex] = [:]
    var topics: [Topics?] = []
    /// The life of each producer that was last heard, by the subscriber's number.
    var heard: [UInt64] = []
    var batch = OutboundBatch()
    var requests: [String] = []
    var claims: LeaseClaims?
    /// Of the lease that each book is owned under; 0 while it is not ours.
    var bookEpochs: [Int64] = []
    var toldDepths: [Bitpal_V1_BookDepth?] = []
    private var ticks = 0
    private var hold = CandleCloseDelay()
    /// Up to when trades are known to be here.
    var voices = TradeVoices()
    let publisher: Publisher
    let archive: ArchiveQueue?
    let candles: CandleQueue?
    let reads: TapeReads?
    let mends: CandleRequests?
    let requestState: @Sendable ([String]) -> Void

    init(
        configuration: BookBuildingConfiguration, publisher: Publisher, archive: ArchiveQueue?,
        candles: CandleQueue?, reads: TapeReads?, mends: CandleRequests?,
        requestState: @escaping @Sendable ([String]) -> Void
    ) {
        set = BookSet(
            limit: configuration.maximumBooks,
            snapshotInterval: configuration.snapshotInterval.wholeNanoseconds)
        board = MarketSet(
            limit: configuration.maximumBooks, hasTape: reads != nil,
            pendingLimit: configuration.maximumPendingTrades, mendable: mends?.intervals ?? [:])
        market = MarketPublisher(publisher)
        indices = IndexPublisher(publisher)
        self.publisher = publisher
        self.archive = archive
        self.candles = candles
        self.reads = reads
        self.mends = mends
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
            case .producerRestarted(let name, let epoch):
                set.restarted(name, epoch: epoch, at: now)
                // It may have stored trades that it could not say any more.
                board.restarted()
            case .busSilent: set.bus(isSilent: true, at: now)
            case .synchronized: set.answer(isPending: true)
            case .stateAnswered:
                set.answer(isPending: false)
                isSynchronized = true
            case .forgotten(let gone): forget(gone, batch, now)
            }
        }
        board.settle()
        settle(at: now)
    }

    /// Lets time act; called ten times a second.
    mutating func tick(at now: Timestamp) {
        ticks += 1
        hold.note(isSilent: set.presence.isBusSilent, at: now)
        set.tick(at: now)
        tellDepths()
        board.read(at: now)
        if ticks % 3 == 0 { board.tellOpen() }
        if ticks % 10 == 0 {
            for id in candles?.takeUnwritten() ?? [] { board.doubt(id) }
            if hold.mayClose(at: now) { board.advance(at: now, heard: voices) }
            board.mend(at: now)
            if isOwing { tellLost(at: now) }
            market.tellTickers(of: board, set, at: now, into: &batch)
            let (claims, isAlone) = (claims, reads == nil)
            indices.publish(of: board, set, market.instruments, at: now, into: &batch) { id in
                isAlone || claims?.epochs[Shard(of: id)] != nil
            }
        }
        settle(at: now)
    }

    /// What was read of an instrument's tape.
    mutating func take(_ reading: StoredTape?, to request: TapeReads.Request, at now: Timestamp) {
        board.take(reading, to: request, at: now)
        board.settle()
        settle(at: now)
    }

    /// What is known of instruments.
    mutating func describe(_ instruments: [Instrument]) { market.describe(instruments) }

    /// Whether instruments are followed of which nothing is known.
    var hasUndescribed: Bool { board.markets.contains { market.instruments[$0.id] == nil } }

    /// What the broker wants.
    mutating func take(_ event: PublisherEvent, at now: Timestamp) {
        switch event {
        case .brokerAppeared:
            set.tellAll(at: now)
            market.forget()
            indices.forget()
            for offset in toldDepths.indices { toldDepths[offset] = nil }
        case .brokerLost: break
        case .snapshotWanted(let topic):
            if let id = Topic.instrument(in: topic), let index = set.find(id) { set.want(index, at: now) }
        }
        settle(at: now)
    }

    /// What the publisher refused is told as it is now.
    private mutating func tellLost(at now: Timestamp) {
        isOwing = false
        for (offset, topics) in topics.enumerated() {
            guard let topics else { continue }
            let isLost = [topics.top, topics.snapshot, topics.depth].map { $0.takeLoss() }
            guard isLost.contains(true), bookEpochs[offset] > 0 else { continue }
            toldDepths[offset] = nil
            set.publish(BookIndex(rawValue: offset), at: now)
        }
        market.forget()
        indices.forget()
    }

    /// The end.
    mutating func finish(at now: Timestamp) {
        if isOwing { tellLost(at: now) }
        set.finish(at: now)
        board.tellOpen()
        settle(at: now)
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
        case .trade(let index):
            guard case .trade(let id, let trade)? = try? batch.decode(message), id == board.markets[index].id
            else {
                malformed &+= 1
                return
            }
            voices.say(index, by: Int(message.producer.rawValue))
            board.take(trade, of: index, at: now)
        case .stored(let index):
            guard case .tradesStored(let id, let mark)? = try? batch.decode(message),
                id == board.markets[index].id
            else {
                malformed &+= 1
                return
            }
            board.take(mark, of: index)
        case .ticker(let index):
            // Of instruments that are ours we know better, and need not read our own words.
            guard board.epochs[index] == 0 else { return }
            guard case .dayTicker(let id, let ticker)? = try? batch.decode(message),
                id == board.markets[index].id
            else {
                malformed &+= 1
                return
            }
            indices.take(volume: ticker.baseVolume, of: index)
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
        case .trade(let index), .stored(let index): board.lose(index, at: now)
        case .heartbeat, .ticker, .other, .unknown: break
        }
    }

    private mutating func hear(_ message: BusMessage, _ batch: BusBatch, _ now: Timestamp) {
        let offset = Int(message.producer.rawValue)
        voices.hear(offset, at: now)
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
        // What aggregated providers say has no book and no tape, and counts in no index.
        guard let id = Topic.instrument(in: text), !id.venue.isAggregated else { return .other }
        let market = board.index(of: id, epoch: epoch(of: id))
        if text.hasPrefix("trade.") {
            return market.map { text == Topic.trade(id) ? .trade($0) : .stored($0) } ?? .other
        }
        if text.hasPrefix("ticker.day.") { return market.map { .ticker($0) } ?? .other }
        let isDelta = text.hasPrefix("book.delta.")
        guard isDelta || text.hasPrefix("book.snapshot."), let index = set.index(of: id, at: now) else {
            return .other
        }
        while topics.count <= index.rawValue {
            topics.append(nil)
            toldDepths.append(nil)
            bookEpochs.append(epoch(of: set[BookIndex(rawValue: bookEpochs.count)].id))
        }
        // No topic is free above a bound that is far more than what is followed.
        if topics[index.rawValue] == nil,
            let top = try? publisher.topic(Topic.bookTop(id)),
            let whole = try? publisher.topic(Topic.bookSnapshot(id)),
            let depth = try? publisher.topic(Topic.bookDepth(id))
        {
            topics[index.rawValue] = Topics(top: top, snapshot: whole, depth: depth)
        }
        booksByDeltaTopic[Topic.bookDelta(id)] = index
        return isDelta ? .delta(index) : .snapshot(index)
    }
}
