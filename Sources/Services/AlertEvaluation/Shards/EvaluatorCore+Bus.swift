import Alerting
import Bus
import Instruments
import MarketData
import MarketState
import Wire

extension EvaluatorCore {
    /// A retained message that is older cannot be believed by itself.
    static var freshness: Int64 { 5_000_000_000 }

    mutating func take(_ message: BusMessage, _ batch: BusBatch, _ now: Timestamp) {
        if !message.isRetained { hear(message.producer, batch) }
        switch kind(of: message.topic, batch) {
        case .trade(let index):
            guard case .trade(let id, let trade)? = try? batch.decode(message), id == followers[index].id
            else { return miscarry() }
            counts.trades &+= 1
            guard followers[index].phase == .live else {
                followers[index].hold(trade, message.sequence)
                return
            }
            evaluate(trade, message.sequence, index, now)
        case .stored(let index):
            guard case .tradesStored(let id, let mark)? = try? batch.decode(message),
                id == followers[index].id
            else { return miscarry() }
            guard followers[index].phase != .live else { return }
            followers[index].hear(storedUpTo: mark.lastVenueTime)
            readTape(index, at: now)
        case .top(let index): takeTop(message, batch, index, now)
        case .depth(let index):
            guard case .bookDepth(let id, let depth)? = try? batch.decode(message), id == followers[index].id
            else { return miscarry() }
            guard !message.isRetained, depth.state == .live, let depth = BookDepth(depth) else { return }
            var quote = BookQuote(depth)
            quote.sequence = message.sequence
            shards[followers[index].shard]?.takeLevels(quote, followers[index].market)
        case .candle(let index, let interval):
            guard case .madeCandle(let id, let candle)? = try? batch.decode(message),
                id == followers[index].id
            else { return miscarry() }
            guard candle.isClosed, !candle.isAmended, let closed = ClosedCandle(candle, interval) else {
                return
            }
            take(closed, of: index, at: now)
        case .mark(let index): takeMark(message, batch, index, now)
        case .derivative(let index): takeDerivative(message, batch, index, now)
        case .portfolio(let id): takePortfolio(message, batch, id, now)
        case .index(let pair): takeIndex(message, batch, pair, now)
        case .feed: takeStatus(message, batch, now)
        case .other, .unknown: break
        }
    }

    mutating func take(_ gap: BusGap, _ batch: BusBatch, _ now: Timestamp) {
        switch kind(of: gap.topic, batch) {
        case .trade(let index): loseTrades(index, "messages were lost on the bus", now)
        case .top(let index):
            loseBook(index, "messages were lost on the bus", now)
            pendingRequests.requestState([batch.topic(gap.topic)])
        case .candle(let index, let interval):
            followers[index].closes[interval]?.isWhole = false
            readCloses(index, interval)
        // Between two of these nothing is known anyhow; but the last one has to come.
        case .mark, .derivative, .portfolio, .index: pendingRequests.requestState([batch.topic(gap.topic)])
        case .stored, .depth, .feed, .other, .unknown: break
        }
    }

    mutating func miscarry() { counts.malformed &+= 1 }

    // MARK: - Books

    private mutating func takeTop(
        _ message: BusMessage, _ batch: BusBatch, _ index: Int, _ now: Timestamp
    ) {
        guard case .bookTop(let id, let top)? = try? batch.decode(message), id == followers[index].id else {
            return miscarry()
        }
        guard isAlive(message, batch) else { return }
        counts.quotes &+= 1
        followers[index].bookProducer = message.producer
        let follower = followers[index]
        guard top.state == .live else {
            return loseBook(index, "the book is \(top.state.name): \(top.reason.name)", now)
        }
        shards[follower.shard]?.prove(.book, follower.market, at: now)
        shards[follower.shard]?.take(BookQuote(top, message.sequence), follower.market)
    }

    /// Whether the one who said something is there; else it is asked for again when that one is heard.
    mutating func isAlive(_ message: BusMessage, _ batch: BusBatch) -> Bool {
        let place = Int(message.producer.rawValue)
        guard message.isRetained, place >= heard.count || heard[place] == nil else { return true }
        unheard[message.producer, default: []].insert(batch.topic(message.topic))
        return false
    }

    private mutating func hear(_ producer: BusProducerIndex, _ batch: BusBatch) {
        let place = Int(producer.rawValue)
        while heard.count <= place { heard.append(nil) }
        guard heard[place] == nil else { return }
        heard[place] = batch.producer(producer)
        guard let waiting = unheard.removeValue(forKey: producer) else { return }
        pendingRequests.requestState(waiting.sorted())
    }

    // MARK: - Feeds

    private mutating func takeStatus(_ message: BusMessage, _ batch: BusBatch, _ now: Timestamp) {
        guard case .feedStatus(let status)? = try? batch.decode(message) else { return miscarry() }
        let venue = Venue(rawValue: status.venue)
        let age = now.nanoseconds(since: message.publishedTime)
        if message.isRetained, feeds[venue] != nil || age > Self.freshness { return }
        let condition = VenueFeedState(status, by: batch.producer(message.producer), at: now)
        let before = feeds[venue]
        feeds[venue] = condition
        if !condition.isLive {
            let isNews = before?.isLive != false || before?.reason != condition.reason
            return isNews ? lose(venue, condition.reason, now) : ()
        }
        let isQuiet = !message.isRetained && status.tradesWaiting == 0
        for index in places.values.sorted() where followers[index].id.venue == venue {
            let follower = followers[index]
            if !follower.id.isTraded { shards[follower.shard]?.prove(.reference, follower.market, at: now) }
            guard follower.phase != .live else { continue }
            followers[index].hear(isQuiet: isQuiet, saidAt: message.publishedTime)
            readTape(index, at: now)
        }
    }

    // MARK: - Topics

    private mutating func kind(of topic: BusTopicIndex, _ batch: BusBatch) -> Kind {
        let place = Int(topic.rawValue)
        while kinds.count <= place { kinds.append(.unknown) }
        if case .unknown = kinds[place] { kinds[place] = classify(batch.topic(topic)) }
        return kinds[place]
    }

    private func classify(_ text: String) -> Kind {
        if text.hasPrefix("feed.status.") { return .feed }
        if text.hasPrefix("index.") {
            let pair = String(text.dropFirst("index.".count).dropLast())
            return indexed[pair] == nil ? .other : .index(pair)
        }
        if text.hasPrefix("portfolio.valuation.") {
            let id = Topic.unescape(text.dropFirst("portfolio.valuation.".count).dropLast())
            return valued[id] == nil ? .other : .portfolio(id)
        }
        guard let id = Topic.instrument(in: text), let index = places[id] else { return .other }
        if text == Topic.mark(id) { return .mark(index) }
        if text == Topic.derivative(id) { return .derivative(index) }
        if text == Topic.trade(id) { return .trade(index) }
        if text == Topic.tradesStored(id) { return .stored(index) }
        if text == Topic.bookTop(id) { return .top(index) }
        if text == Topic.bookDepth(id) { return .depth(index) }
        // tidy: unordered-iteration At most one has this name.
        for interval in followers[index].closes.keys
        where text == Topic.candle(interval: CandleInterval.name(of: interval), id) {
            return .candle(index, interval: interval)
        }
        return .other
    }
}
