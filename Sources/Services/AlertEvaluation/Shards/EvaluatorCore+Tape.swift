import Alerting
import AlertStore
import Bus
import Instruments
import MarketData
import Wire

extension EvaluatorCore {
    /// Has the stored tape of an instrument read, if that can end well now.
    mutating func readTape(_ index: Int, at now: Timestamp) {
        let id = followers[index].id
        guard id.isTraded, isFollowed(id), feeds[id.venue]?.isLive == true, isSynchronized,
            let request = followers[index].beginReading(at: now)
        else { return }
        pendingRequests.read(.trades(index, request))
    }

    /// What was read; false when nobody waits for it any more.
    mutating func take(
        _ answer: HistoryReads.Answer, to request: HistoryReads.Request, at now: Timestamp
    ) -> Bool {
        defer { flush(at: now) }
        switch request {
        case .trades(let index, let tape): return take(answer, of: tape, index, at: now)
        case .closes(let index, let id, let interval, _):
            guard places[id] == index else { return false }
            if case .closes(let candles) = answer { take(candles, of: index, interval, at: now) }
            return true
        case .warmth(let index, let id, let interval, let rule):
            guard places[id] == index, case .closes(let candles) = answer else { return false }
            warm(rule, with: candles, index, interval, at: now)
            return true
        }
    }

    private mutating func take(
        _ answer: HistoryReads.Answer, of tape: TapeRequest, _ index: Int, at now: Timestamp
    ) -> Bool {
        guard places[tape.id] == index, followers[index].phase == .reading,
            followers[index].generation == tape.generation
        else { return false }
        switch answer {
        case .before(let trade): arm(index, by: trade)
        case .page(let trades):
            for trade in trades { miss(trade, of: index, at: now) }
        case .end(false): followers[index].abandonReading(at: now)
        case .end(true):
            if followers[index].endReading(at: now) { goLive(index, at: now) }
        case .closes: break
        }
        return true
    }

    /// The last price before all rules: it says on which side of their levels they begin.
    private mutating func arm(_ index: Int, by trade: Trade) {
        let follower = followers[index]
        var state = EngineState()
        state.series = [
            .init(
                key: .price(follower.id, .last), value: trade.price.decimal(trade.priceScale),
                time: trade.venueTime)
        ]
        shards[follower.shard]?.engine.restore(state)
        followers[index].note(trade)
        followers[index].noteRead(trade)
    }

    private mutating func miss(_ trade: Trade, of index: Int, at now: Timestamp) {
        followers[index].noteRead(trade)
        guard !followers[index].knows(trade) else { return }
        enterLate(index, upTo: trade.receivedTime, at: now)
        counts.missedTrades &+= 1
        let follower = followers[index]
        shards[follower.shard]?.takeMissed(
            trade, found: now, clockOffset: follower.clockOffset, follower.market)
        followers[index].note(trade)
    }

    private mutating func enterLate(_ index: Int, upTo time: Timestamp, at now: Timestamp) {
        let count = followers[index].late.prefix { $0.updated <= time }.count
        guard count > 0 else { return }
        let rules = Array(followers[index].late.prefix(count))
        followers[index].late.removeFirst(count)
        admit(rules, to: followers[index].shard, at: now)
    }

    private mutating func goLive(_ index: Int, at now: Timestamp) {
        let waiting = followers[index].goLive()
        let follower = followers[index]
        shards[follower.shard]?.prove(.trades, follower.market, at: now, isComplete: true)
        enterLate(index, upTo: Timestamp(nanoseconds: .max), at: now)
        for entry in waiting { evaluate(entry.trade, entry.sequence, index, now) }
        for interval in follower.closes.keys.sorted() { drain(index, interval, at: now) }
    }

    /// A live trade of an instrument that is whole up to it.
    mutating func evaluate(_ trade: Trade, _ sequence: UInt64, _ index: Int, _ now: Timestamp) {
        let (market, shard) = (followers[index].market, followers[index].shard)
        if followers[index].hasRead(trade) { return }
        if trade.isBackfill {
            // What was fetched after a gap; what was evaluated before comes again only by chance.
            if let time = followers[index].time, trade.venueTime <= time { return }
            let offset = followers[index].clockOffset
            shards[shard]?.takeMissed(trade, found: now, clockOffset: offset, market)
        } else {
            shards[shard]?.take(trade, sequence, market)
        }
        followers[index].note(trade)
    }

    // MARK: - Losing

    /// Trades of an instrument may be missing from here on.
    mutating func loseTrades(_ index: Int, _ reason: String, _ now: Timestamp) {
        counts.doubts &+= 1
        followers[index].lose()
        let (follower, reason) = (followers[index], words(reason, of: index))
        shards[follower.shard]?.doubt(.trades, follower.market, reason, at: now)
        for interval in follower.closes.keys { followers[index].closes[interval]?.isWhole = false }
        for interval in follower.closes.keys.sorted() { readCloses(index, interval) }
    }

    mutating func loseBook(_ index: Int, _ reason: String, _ now: Timestamp) {
        let (follower, reason) = (followers[index], words(reason, of: index))
        shards[follower.shard]?.doubt(.book, follower.market, reason, at: now)
    }

    mutating func lose(_ venue: Venue, _ reason: String, _ now: Timestamp) {
        for index in places.values.sorted() where followers[index].id.venue == venue {
            loseTrades(index, reason, now)
            loseMark(index, reason, now)
            if !followers[index].id.isTraded { loseReference(index, reason, now) }
        }
    }

    mutating func lose(producer name: String, _ reason: String, _ now: Timestamp) {
        for (venue, feed) in feeds.sorted(by: { $0.key < $1.key }) where feed.producer == name {
            feeds[venue]?.isLive = false
            feeds[venue]?.reason = reason
            lose(venue, reason, now)
        }
        for index in places.values.sorted() {
            let follower = followers[index]
            if isHeard(follower.referenceProducer, as: name) { loseReference(index, reason, now) }
            guard isHeard(follower.bookProducer, as: name) else { continue }
            loseBook(index, reason, now)
            // What it says next may be long in coming.
            pendingRequests.requestState([Topic.bookTop(follower.id)])
        }
    }

    private func isHeard(_ producer: BusProducerIndex?, as name: String) -> Bool {
        guard let producer else { return false }
        let place = Int(producer.rawValue)
        return place < heard.count && heard[place] == name
    }

    mutating func loseEverything(_ reason: String, _ now: Timestamp) {
        for index in places.values.sorted() {
            loseTrades(index, reason, now)
            loseBook(index, reason, now)
            loseMark(index, reason, now)
            loseReference(index, reason, now)
        }
        // Who says best prices says them again only when they change.
        pendingRequests.requestState(places.keys.filter(\.isTraded).sorted().map { Topic.bookTop($0) })
    }

    // MARK: - Candles

    /// Asks again for candles that could not be read.
    mutating func readCold() {
        let requests = cold
        cold.removeAll()
        for request in requests {
            switch request {
            case .closes(let index, let id, let interval, _):
                if places[id] == index { readCloses(index, interval) }
            case .warmth(let index, let id, _, _):
                if places[id] == index { pendingRequests.read(request) }
            case .trades: break
            }
        }
    }

    /// Has stored candles read after the last one that was evaluated.
    mutating func readCloses(_ index: Int, _ interval: Int64) {
        guard var closes = followers[index].closes[interval], !closes.isReading, let last = closes.last
        else { return }
        closes.isReading = true
        followers[index].closes[interval] = closes
        pendingRequests.read(.closes(index, followers[index].id, interval: interval, after: last))
    }

    /// A new rule of closed candles begins where those before it end.
    private mutating func warm(
        _ id: RuleID, with candles: [ClosedCandle]?, _ index: Int, _ interval: Int64, at now: Timestamp
    ) {
        let shard = followers[index].shard
        guard let rule = shards[shard]?.rules[id], followers[index].rules.contains(id) else { return }
        guard let candles else {
            cold.append(.warmth(index, followers[index].id, interval: interval, rule: id))
            return
        }
        admit(rule, at: now)
        let last = followers[index].closes[interval]?.last
        let before = candles.filter { candle in last.map { candle.start <= $0 } ?? true }
        shards[shard]?.engine.warm(id, with: before)
        if last == nil, let newest = candles.last {
            followers[index].closes[interval]?.last = newest.start
        }
        // With nothing stored there is nothing that could be missing.
        if last == nil { followers[index].closes[interval]?.isWhole = true }
        drain(index, interval, at: now)
    }

    private mutating func take(
        _ candles: [ClosedCandle]?, of index: Int, _ interval: Int64, at now: Timestamp
    ) {
        followers[index].closes[interval]?.isReading = false
        guard let candles else {
            cold.append(.closes(index, followers[index].id, interval: interval, after: .zero))
            return
        }
        let follower = followers[index]
        for candle in candles {
            if let last = followers[index].closes[interval]?.last, candle.start <= last { continue }
            shards[follower.shard]?.take(candle, found: now, follower.market)
            counts.candles &+= 1
            followers[index].closes[interval]?.last = candle.start
        }
        followers[index].closes[interval]?.isWhole = true
        drain(index, interval, at: now)
    }

    /// A closed candle from the bus.
    mutating func take(_ candle: ClosedCandle, of index: Int, at now: Timestamp) {
        guard var closes = followers[index].closes[candle.interval] else { return }
        if closes.pending.count >= CandleProgress.limit {
            closes.pending.removeAll()
            closes.isWhole = false
        }
        closes.pending.append(candle)
        if let last = closes.last, candle.start > last.adding(nanoseconds: candle.interval) {
            closes.isWhole = false
        }
        followers[index].closes[candle.interval] = closes
        guard closes.isWhole else { return readCloses(index, candle.interval) }
        drain(index, candle.interval, at: now)
    }

    /// Evaluates candles that waited, once trades are proven and what is stored was read.
    private mutating func drain(_ index: Int, _ interval: Int64, at now: Timestamp) {
        guard followers[index].phase == .live, var closes = followers[index].closes[interval], closes.isWhole
        else { return }
        let follower = followers[index]
        for candle in closes.pending where closes.last.map({ candle.start > $0 }) ?? true {
            shards[follower.shard]?.take(candle, found: nil, follower.market)
            counts.candles &+= 1
            closes.last = candle.start
        }
        closes.pending.removeAll()
        followers[index].closes[interval] = closes
    }
}
