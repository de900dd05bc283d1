import Bus
import Instruments
import MarketData
import MarketState
import Wire

/// What a gateway knows of the market, from the messages of the bus alone.
///
/// Knows no socket and no clock: every time is an argument. Holds at most ``instrumentLimit`` instruments and
/// what is followed on demand; messages of further ones are counted and left out.
struct MarketReplica: Sendable {
    /// How many tickers, and how many depths, are kept.
    static let instrumentLimit = 20_000

    private(set) var tickers: [InstrumentID: KnownTicker] = [:]
    /// All markets of venues that tell of them, also of those that nobody follows.
    private(set) var board = MarketBoard()
    /// Who told of the board of a venue, and when it changed last.
    private(set) var boardVoices: [Venue: ReceivedValue<Void>] = [:]
    private(set) var depths: [InstrumentID: ReceivedValue<BookDepth>] = [:]
    private(set) var indices: [String: ReceivedValue<Bitpal_V1_IndexPrice>] = [:]
    private(set) var feeds: [String: ReceivedValue<Bitpal_V1_FeedStatus>] = [:]
    var services: [String: ReceivedValue<Bitpal_V1_ServiceStatus>] = [:]
    private(set) var candles: [MarketKey: KnownCandles] = [:]
    private(set) var valuations: [String: ReceivedValue<Bitpal_V1_PortfolioValuation>] = [:]
    private(set) var trades: [InstrumentID: TradeRing] = [:]
    private(set) var books: [InstrumentID: FollowedBook] = [:]
    /// The followed books by the topics of their changes, as heartbeats name them.
    private var booksByTopic: [String: InstrumentID] = [:]
    private(set) var followed = OnDemandTopics()
    /// How well we are connected.
    var condition = BusConnectionState()
    /// Messages that could not be read, travelled under the topic of others, or are of more than is kept.
    private(set) var refused: UInt64 = 0

    /// What changed since ``takeChanges()``.
    private var changes: Set<MarketKey> = []
    /// Retained state that has to be asked for since ``takeQuestions()``.
    private var questions: Set<String> = []
    /// Instruments whose stored trades are to be read, each in its turn.
    private var unread: [InstrumentID] = []
    private var ringCount: UInt64 = 0

    /// Hands out what changed and forgets it.
    mutating func takeChanges() -> Set<MarketKey> {
        defer { changes.removeAll(keepingCapacity: true) }
        return changes
    }

    /// Hands out the topics whose retained state is needed, and forgets them.
    mutating func takeQuestions() -> [String] {
        defer { questions.removeAll(keepingCapacity: true) }
        return Array(questions)
    }

    // MARK: - Messages

    /// Takes a batch; of topics that keep only their last message only the last one of the batch is read.
    mutating func take(_ batch: BusBatch, at now: Timestamp) {
        let before = condition
        var last: [BusTopicIndex: Int] = [:]
        for (index, event) in batch.events.enumerated() {
            if case .message(let message) = event { last[message.topic] = index }
        }
        var names: [BusTopicIndex: (text: String, isState: Bool)] = [:]
        for (index, event) in batch.events.enumerated() {
            guard case .message(let message) = event else {
                note(event, batch)
                continue
            }
            condition.hear()
            let name = names[message.topic] ?? MarketReplica.name(batch.topic(message.topic))
            names[message.topic] = name
            if name.isState && last[message.topic] != index { continue }
            // Whose heartbeat it is the bus has looked at, on topics of heartbeats alone.
            guard let event = try? batch.decode(message), event.travels(under: name.text) else {
                refused += 1
                continue
            }
            let time = message.isRetained ? min(now, message.publishedTime) : now
            take(event, at: batch.position(of: message), heard: time)
        }
        if condition != before { reconsider() }
    }

    private static func name(_ topic: String) -> (text: String, isState: Bool) {
        (topic, Topic.isState(topic) && !topic.hasPrefix("book.snapshot."))
    }

    /// Takes one message.
    mutating func take(_ event: WireEvent, at position: StreamPosition, heard time: Timestamp) {
        let producer = position.producer
        switch event {
        case .dayTicker(let id, let ticker):
            change(id) { $0.day = ReceivedValue(value: ticker, time: time, producer: producer) }
        case .bookTop(let id, let top):
            change(id) { $0.top = ReceivedValue(value: top, time: time, producer: producer) }
        case .ticker(let id, let ticker):
            change(id) { $0.venue = ReceivedValue(value: ticker, time: time, producer: producer) }
        case .derivative(let id, let ticker):
            change(id) { $0.derivative = ReceivedValue(value: ticker, time: time, producer: producer) }
        case .bookDepth(let id, let message):
            guard let depth = BookDepth(message), depths[id] != nil || depths.count < Self.instrumentLimit
            else { return refused += 1 }
            depths[id] = ReceivedValue(value: depth, time: time, producer: producer)
            changes.insert(.depth(id))
        case .bookDelta, .bookStateChange, .bookSnapshot: takeBook(event, at: position, heard: time)
        case .trade(let id, let trade):
            guard trades[id] != nil else { return }
            trades[id]?.append(trade)
            changes.insert(.trades(id))
        case .tradesStored(let id, _): join(id) { $0.noteStored() }
        case .marketTickers(let part): takeBoard(part, producer, time)
        default: takeOther(event, position, time)
        }
    }

    private mutating func takeBoard(_ part: MarketTickerPart, _ producer: String, _ time: Timestamp) {
        guard let changed = board.take(part) else { return refused += 1 }
        guard !changed.isEmpty else { return }
        boardVoices[part.venue] = ReceivedValue(value: (), time: time, producer: producer)
        for id in changed { changes.insert(.ticker(id)) }
    }

    private mutating func takeOther(_ event: WireEvent, _ position: StreamPosition, _ time: Timestamp) {
        let producer = position.producer
        switch event {
        case .indexPrice(let price):
            guard indices[price.pair] != nil || indices.count < Self.instrumentLimit else {
                return refused += 1
            }
            indices[price.pair] = ReceivedValue(value: price, time: time, producer: producer)
            changes.insert(.index(price.pair))
        case .feedStatus(let status):
            guard feeds[status.venue] != nil || feeds.count < 256 else { return refused += 1 }
            feeds[status.venue] = ReceivedValue(value: status, time: time, producer: producer)
            changes.insert(.feed(status.venue))
        case .serviceStatus(let status): takeService(status, producer, time)
        case .madeCandle(let id, let candle):
            let key = MarketKey.candle(candle.interval, id)
            guard followed.contains(.candles(candle.interval, id)) else { return }
            if candles[key, default: KnownCandles()].take(candle) { changes.insert(key) }
        case .heartbeat(let heartbeat): takeHeartbeat(heartbeat, position)
        case .portfolioValuation(let valuation):
            guard followed.contains(.valuation(valuation.portfolio)) else { return }
            valuations[valuation.portfolio] = ReceivedValue(value: valuation, time: time, producer: producer)
            changes.insert(.valuation(valuation.portfolio))
        default: break
        }
    }

    private mutating func takeHeartbeat(_ heartbeat: Bitpal_V1_Heartbeat, _ position: StreamPosition) {
        guard !booksByTopic.isEmpty else { return }
        var last = position
        for (topic, sequence) in zip(heartbeat.topics, heartbeat.sequences) {
            guard let id = booksByTopic[topic] else { continue }
            last.sequence = sequence
            if books[id]?.tell(last: last) == true { ask(.book(id)) }
            books[id]?.reconsider(condition)
        }
    }

    private mutating func takeService(
        _ status: Bitpal_V1_ServiceStatus, _ producer: String, _ time: Timestamp
    ) {
        let name = "\(status.service) \(status.instance)"
        if services[name] == nil, services.count >= 1_024 {
            // Instances come and go: the one that was silent longest makes room.
            guard let oldest = services.min(by: { $0.value.time < $1.value.time })?.key else { return }
            services[oldest] = nil
        }
        services[name] = ReceivedValue(value: status, time: time, producer: producer)
        changes.insert(.service(name))
    }

    private mutating func change(_ id: InstrumentID, _ body: (inout KnownTicker) -> Void) {
        if tickers[id] == nil {
            guard tickers.count < Self.instrumentLimit else { return refused += 1 }
            tickers[id] = KnownTicker(instrument: id)
        }
        body(&tickers[id, default: KnownTicker(instrument: id)])
        changes.insert(.ticker(id))
    }

    private mutating func takeBook(
        _ event: WireEvent, at position: StreamPosition, heard time: Timestamp
    ) {
        guard let id = event.bookInstrument, books[id] != nil else { return }
        if books[id]?.take(event, at: position, heard: time) == true { ask(.book(id)) }
        books[id]?.reconsider(condition)
    }

    // MARK: - What the bus says of itself

    private mutating func note(_ event: BusEvent, _ batch: BusBatch) {
        switch event {
        case .synchronized(let prefixes):
            condition.synchronize()
            for prefix in prefixes where prefix.hasPrefix("trade.") {
                if let id = Topic.instrument(in: prefix) { join(id) { $0.confirm() } }
            }
        case .busSilent: condition.fallSilent()
        case .producerSilent(let name):
            condition.lose(name)
            for id in books.keys { books[id]?.forsake(name) }
        case .producerBack(let name): condition.regain(name)
        case .producerRestarted(let name, let epoch):
            condition.regain(name)
            for id in books.keys where books[id]?.restarted(name, epoch: epoch) == true { ask(.book(id)) }
            // What its former life stored and did not come to say, nobody says.
            for id in trades.keys { join(id) { $0.lose() } }
        case .gap(let gap): note(gap, topic: batch.topic(gap.topic))
        case .stateAnswered(let answer):
            let asked = Set(answer.prefixes)
            for id in books.keys where asked.contains(Topic.bookDelta(id)) {
                if books[id]?.answer() == true { ask(.book(id)) }
            }
        case .forgotten(let gone): forget(Set(gone.producers.map(batch.producer)))
        case .message, .overflow: break
        }
    }

    private mutating func note(_ gap: BusGap, topic: String) {
        if topic.hasPrefix("book.delta."), let id = Topic.instrument(in: topic) {
            let last = gap.received.map { $0 - 1 } ?? gap.expected
            if books[id]?.lose(through: last) == true { ask(.book(id)) }
        } else if topic.hasPrefix("trade."), let id = Topic.instrument(in: topic) {
            join(id) { topic == Topic.trade(id) ? $0.lose() : $0.noteStored() }
        } else if Topic.isState(topic) {
            questions.insert(topic)
        }
    }

    private mutating func ask(_ thing: OnDemandTopic) { questions.formUnion(thing.topics) }

    /// What producers said may be in doubt now, or no more.
    private mutating func reconsider() {
        changes.insert(.condition)
        for id in books.keys { books[id]?.reconsider(condition) }
    }

    // MARK: - On demand

    /// Wants a thing, by the time of day and by ours that nobody sets; see ``OnDemandTopics``.
    mutating func want(
        _ thing: OnDemandTopic, isHeld: Bool, at now: Timestamp, uptime: Timestamp
    ) -> OnDemandTopics.Outcome {
        let outcome = followed.want(thing, isHeld: isHeld, at: uptime)
        guard case .begun(let ended) = outcome else { return outcome }
        ended.forEach { forget($0) }
        switch thing {
        case .book(let id):
            books[id] = FollowedBook(since: now)
            booksByTopic[Topic.bookDelta(id)] = id
        case .trades(let id):
            ringCount += 1
            trades[id] = TradeRing(number: ringCount)
        case .candles, .valuation: break
        }
        return outcome
    }

    /// Takes back one holding.
    mutating func release(_ thing: OnDemandTopic, at uptime: Timestamp) {
        followed.release(thing, at: uptime)
    }

    /// Ends what nobody wants any more, and says what.
    mutating func expire(at uptime: Timestamp) -> [OnDemandTopic] {
        let ended = followed.expire(at: uptime)
        ended.forEach { forget($0) }
        return ended
    }

    // MARK: - Stored trades

    private mutating func join(_ id: InstrumentID, _ body: (inout TapeSeam) -> Void) {
        guard var seam = trades[id]?.seam else { return }
        body(&seam)
        trades[id]?.seam = seam
        if seam.wantsReading, !unread.contains(id) { unread.append(id) }
    }

    /// The next instrument whose stored trades are to be read now; `nil` when there is none.
    mutating func takeUnread() -> InstrumentID? {
        while !unread.isEmpty {
            let id = unread.removeFirst()
            if trades[id]?.seam.wantsReading == true { return id }
        }
        return nil
    }

    /// Whether there is one.
    var hasUnread: Bool { !unread.isEmpty }

    /// The stored trades of an instrument are read from now on; `nil` when it is not followed.
    mutating func beginReading(_ id: InstrumentID) -> TapeSeam.Reading? { trades[id]?.seam.begin() }

    /// Puts the newest stored trades, newest first, where they belong.
    mutating func end(_ reading: TapeSeam.Reading, of id: InstrumentID, with stored: [Trade]) {
        guard var ring = trades[id] else { return }
        ring.seam.finish(reading, with: stored)
        if ring.fill(stored) { changes.insert(.trades(id)) }
        trades[id] = ring
    }

    /// The stored trades could not be read.
    mutating func fail(_ reading: TapeSeam.Reading, of id: InstrumentID) {
        join(id) { $0.fail(reading) }
    }

    private mutating func forget(_ thing: OnDemandTopic) {
        switch thing {
        case .book(let id):
            books[id] = nil
            booksByTopic[Topic.bookDelta(id)] = nil
        case .trades(let id): trades[id] = nil
        case .candles(let interval, let id): candles[.candle(interval, id)] = nil
        case .valuation(let portfolio): valuations[portfolio] = nil
        }
    }
}

extension WireEvent {
    /// The instrument of a message of a book.
    fileprivate var bookInstrument: InstrumentID? {
        switch self {
        case .bookDelta(let id, _), .bookStateChange(let id, _), .bookSnapshot(let id, _): id
        default: nil
        }
    }
}
