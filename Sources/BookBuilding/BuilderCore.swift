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
    private enum Kind: Sendable {
        case unknown
        case delta(BookIndex)
        case snapshot(BookIndex)
        case trade(Int)
        case stored(Int)
        case heartbeat
        case other
    }

    /// The topics that we publish a book on.
    private struct Topics: Sendable {
        let top: PublisherTopic
        let snapshot: PublisherTopic
        let depth: PublisherTopic
    }

    /// The books.
    private(set) var set: BookSet
    /// The candles and tickers.
    private(set) var board: MarketBoard
    /// What is told of them.
    private(set) var market: MarketVoice
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
    private var claims: LeaseClaims?
    /// Of the lease that each book is owned under; 0 while it is not ours.
    private var bookEpochs: [Int64] = []
    private var toldDepths: [Bitpal_V1_BookDepth?] = []
    private var ticks = 0
    private let publisher: Publisher
    private let archive: ArchiveQueue?
    private let candles: CandleQueue?
    private let reads: TapeReads?
    private let requestState: @Sendable ([String]) -> Void

    init(
        configuration: BookBuildingConfiguration, publisher: Publisher, archive: ArchiveQueue?,
        candles: CandleQueue?, reads: TapeReads?,
        requestState: @escaping @Sendable ([String]) -> Void
    ) {
        set = BookSet(
            limit: configuration.maximumBooks,
            snapshotInterval: configuration.snapshotInterval.wholeNanoseconds)
        board = MarketBoard(
            limit: configuration.maximumBooks, hasTape: reads != nil,
            pendingLimit: configuration.maximumPendingTrades)
        market = MarketVoice(publisher)
        self.publisher = publisher
        self.archive = archive
        self.candles = candles
        self.reads = reads
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
            }
        }
        board.settle()
        settle(at: now)
    }

    /// Lets time act; called ten times a second.
    mutating func tick(at now: Timestamp) {
        ticks += 1
        set.tick(at: now)
        tellDepths()
        board.read(at: now)
        if ticks % 3 == 0 { board.tellOpen() }
        if ticks % 10 == 0 {
            for id in candles?.takeUnwritten() ?? [] { board.doubt(id) }
            board.advance(at: now)
            market.tellTickers(of: board, set, at: now, into: &batch)
        }
        settle(at: now)
    }

    /// What was read of an instrument's tape.
    mutating func take(_ reading: TapeReading?, of index: Int, at now: Timestamp) {
        board.take(reading, of: index, at: now)
        board.settle()
        settle(at: now)
    }

    /// What is known of instruments.
    mutating func describe(_ instruments: [Instrument]) { market.describe(instruments) }

    /// Whether instruments are followed of which nothing is known.
    var hasUndescribed: Bool { board.markets.contains { market.instruments[$0.id] == nil } }

    /// What may be published and stored from here on; `nil` is everything.
    mutating func own(_ claims: LeaseClaims?, at now: Timestamp) {
        guard claims != self.claims else { return }
        self.claims = claims
        for index in board.markets.indices { board.own(index, epoch: epoch(of: board.markets[index].id)) }
        for offset in bookEpochs.indices {
            let index = BookIndex(rawValue: offset)
            let epoch = epoch(of: set[index].id)
            if epoch == bookEpochs[offset] { continue }
            bookEpochs[offset] = epoch
            toldDepths[offset] = nil
            if epoch > 0 { set.tell(index, at: now) }
        }
        settle(at: now)
    }

    private func epoch(of id: InstrumentID) -> Int64 {
        reads == nil ? 1 : claims?.epochs[Shard(of: id)] ?? 0
    }

    /// What the broker wants.
    mutating func take(_ event: PublisherEvent, at now: Timestamp) {
        switch event {
        case .brokerAppeared:
            set.tellAll(at: now)
            market.forget()
            for offset in toldDepths.indices { toldDepths[offset] = nil }
        case .brokerLost: break
        case .snapshotWanted(let topic):
            if let id = Topic.instrument(in: topic), let index = set.find(id) { set.want(index, at: now) }
        }
        settle(at: now)
    }

    /// The end.
    mutating func finish(at now: Timestamp) {
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
            board.take(trade, of: index, at: now)
        case .stored(let index):
            guard case .tradesStored(let id, let mark)? = try? batch.decode(message),
                id == board.markets[index].id
            else {
                malformed &+= 1
                return
            }
            board.take(mark, of: index)
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
        let market = board.index(of: id, epoch: epoch(of: id))
        if text.hasPrefix("trade.") {
            return market.map { text == Topic.trade(id) ? .trade($0) : .stored($0) } ?? .other
        }
        let isDelta = text.hasPrefix("book.delta.")
        guard isDelta || text.hasPrefix("book.snapshot."), let index = set.index(of: id, at: now) else {
            return .other
        }
        while topics.count <= index.rawValue {
            topics.append(nil)
            toldDepths.append(nil)
            bookEpochs.append(epoch(of: set[BookIndex(rawValue: bookEpochs.count)].id))
        }
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

    // MARK: - Out

    private mutating func tellDepths() {
        var changed: [BookIndex] = []
        set.takeChanged { changed.append($0) }
        for index in changed {
            guard bookEpochs[index.rawValue] > 0, let topics = topics[index.rawValue] else { continue }
            var depth = Bitpal_V1_BookDepth(set[index].replica)
            if let told = toldDepths[index.rawValue], told.says(the: depth) { continue }
            if let position = set[index].replica.position { depth.at = .init(position) }
            batch.append(.bookDepth(set[index].id, depth), to: topics.depth)
            toldDepths[index.rawValue] = depth
        }
    }

    private mutating func settle(at now: Timestamp) {
        for output in set.outputs {
            switch output {
            case .top(let index, let top):
                guard bookEpochs[index.rawValue] > 0, let topics = topics[index.rawValue] else { continue }
                batch.append(.bookTop(set[index].id, top), to: topics.top)
            case .snapshot(let index, let snapshot):
                guard bookEpochs[index.rawValue] > 0, let topics = topics[index.rawValue] else { continue }
                batch.append(.bookSnapshot(set[index].id, snapshot), to: topics.snapshot)
            case .archive(let index, let snapshot):
                if bookEpochs[index.rawValue] > 0 { archive?.offer(snapshot, of: set[index].id) }
            case .request(let index):
                let id = set[index].id
                requests += [Topic.bookSnapshot(id), Topic.bookDelta(id)]
            }
        }
        set.outputs.removeAll(keepingCapacity: true)
        for output in board.outputs {
            switch output {
            case .candle(let index, let candle):
                market.tell(candle, of: board.markets[index].id, index, at: now, into: &batch)
            case .store(let index, let closed):
                candles?.offer(closed, of: board.markets[index].id, epoch: board.epochs[index])
            case .read(let index, let from, let until):
                let tape = ReadTape(id: board.markets[index].id, from: from, until: until)
                reads?.offer(TapeReads.Request(index: index, tape: tape))
            }
        }
        board.outputs.removeAll(keepingCapacity: true)
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
