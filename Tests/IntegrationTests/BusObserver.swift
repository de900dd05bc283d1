import Bus
import Instruments
import MarketData
import Wire

/// Reads the bus as any consumer does and keeps what it says.
struct BusObserver {
    /// The last whole book of each instrument that book-builder published.
    private(set) var snapshots: [InstrumentID: BookSnapshot] = [:]
    /// Where each of them stands in its producer's stream: of whole books the bus hands over what the
    /// broker kept even where something newer has come meanwhile.
    private var snapshotPositions: [InstrumentID: StreamPosition] = [:]
    /// The best levels that book-builder told last: it alone does, and the broker keeps them.
    private(set) var depths: [InstrumentID: Bitpal_V1_BookDepth] = [:]
    /// Books followed from deltas and snapshots.
    private(set) var replicas: [InstrumentID: BookReplica] = [:]
    /// Trades in the order of the bus, each once.
    private(set) var trades: [InstrumentID: [Trade]] = [:]
    private(set) var deltas = 0
    /// What feed-ingestor made of the venue's messages, by topic and number, without the times of this
    /// machine.
    private(set) var market: [String: [UInt64: String]] = [:]
    /// Books of which book-builder has told live levels since ``forget()``.
    private(set) var toldLive: Set<InstrumentID> = []
    /// Books of which something is missing; the caller asks for what the broker keeps of them.
    private(set) var wanted: Set<InstrumentID> = []
    private var known: Set<String> = []
    /// Books whose last whole one on the bus is feed-ingestor's: of both the broker keeps the last one only,
    /// so that one of book-builder's that was lost in a crash may be nowhere any more.
    private var supplanted: Set<InstrumentID> = []
    private var hasForgotten = false

    mutating func take(_ batch: BusBatch) throws {
        for event in batch.events {
            switch event {
            case .message(let message):
                let (decoded, position) = (try batch.decode(message), batch.position(of: message))
                if position.producer.hasPrefix("feed-ingestor-"), let text = decoded.marketText {
                    market[batch.topic(message.topic), default: [:]][message.sequence] = text
                }
                try take(decoded, at: position)
            case .gap(let gap):
                let topic = batch.topic(gap.topic)
                guard topic.hasPrefix("book."), let id = Topic.instrument(in: topic) else { continue }
                // The numbers of other topics say nothing of the deltas.
                if topic == Topic.bookDelta(id) {
                    let last = gap.received.map { $0 - 1 } ?? gap.expected
                    _ = replicas[id]?.lose(through: last, detail: "gap")
                }
                wanted.insert(id)
            default: break
            }
        }
    }

    mutating func asked() { wanted = [] }

    /// A service has just been killed: what was told before says nothing of its recovery.
    mutating func forget() {
        toldLive = []
        hasForgotten = true
    }

    /// Whether all books of a session were told again, and are live for whoever follows them.
    func isRecovered(_ session: ExpectedSession) -> Bool {
        session.bids.keys.allSatisfy { symbol in
            let id = InstrumentID(venue: session.venue, symbol: symbol)
            return toldLive.contains(id) && replicas[id]?.state == .live
        }
    }

    private mutating func take(_ event: WireEvent, at position: StreamPosition) throws {
        switch event {
        case .bookSnapshot(let id, let snapshot):
            if position.producer.hasPrefix("book-builder") {
                if isNewest(position, of: id) { snapshots[id] = snapshot }
                supplanted.remove(id)
            } else {
                supplanted.insert(id)
            }
            follow(id) { $0.apply(snapshot) }
        case .bookDepth(let id, let depth):
            depths[id] = depth
            if depth.state == .live { toldLive.insert(id) } else { toldLive.remove(id) }
        case .bookDelta(let id, let delta):
            deltas += 1
            follow(id) { $0.apply(delta, at: position) }
        case .bookStateChange(let id, let change):
            follow(id) { $0.apply(change, at: position) }
        case .trade(let id, let trade):
            if known.insert("\(id) \(trade.id) \(trade.isAggregate)").inserted {
                trades[id, default: []].append(trade)
            }
        default: break
        }
    }

    private mutating func isNewest(_ position: StreamPosition, of id: InstrumentID) -> Bool {
        if let last = snapshotPositions[id], last.producer == position.producer,
            (last.epoch, last.sequence) > (position.epoch, position.sequence)
        {
            return false
        }
        snapshotPositions[id] = position
        return true
    }

    private mutating func follow(_ id: InstrumentID, _ apply: (inout BookReplica) -> ReplicaOutcome) {
        if apply(&replicas[id, default: BookReplica()]) == .needsSnapshot { wanted.insert(id) }
    }

    // MARK: - Comparison

    /// Whether every book is live, in its consumers' eyes and in book-builder's, and is the expected one.
    func hasFinalBooks(of session: ExpectedSession) -> Bool { firstDifference(from: session) == nil }

    /// What is not yet as expected, for a failure's text.
    func firstDifference(from session: ExpectedSession) -> String? {
        for (symbol, bids) in session.bids {
            let id = InstrumentID(venue: session.venue, symbol: symbol)
            guard let asks = session.asks[symbol] else { continue }
            guard let depth = depths[id] else { return "\(id): nothing told by book-builder" }
            guard depth.state == .live else { return "\(id): told as \(depth.state) \(depth.reason)" }
            guard depth.bids == bids, depth.asks == asks else { return "\(id): other levels are told" }
            guard let replica = replicas[id], replica.state == .live else {
                return "\(id): replica is not live"
            }
            let followed = replica.snapshot()
            guard side(followed.bids, followed) == bids, side(followed.asks, followed) == asks else {
                return "\(id): the followed book has other levels"
            }
            if hasForgotten, supplanted.contains(id) { continue }
            guard let snapshot = snapshots[id] else { return "\(id): no snapshot by book-builder" }
            guard snapshot.state == .live else {
                return "\(id): \(snapshot.state.name) \(snapshot.reason.name)"
            }
            guard side(snapshot.bids, snapshot) == bids, side(snapshot.asks, snapshot) == asks else {
                return "\(id): other levels than expected in the snapshot"
            }
        }
        return nil
    }

    private func side(_ levels: [BookLevel], _ snapshot: BookSnapshot) -> ExpectedSession.Side {
        ExpectedSession.Side(
            count: levels.count,
            best: levels.prefix(25).map { level in
                let price = level.price.decimal(snapshot.priceScale).normalized
                return "\(price)×\(level.size.decimal(snapshot.sizeScale).normalized)"
            })
    }
}

extension Bitpal_V1_BookDepth {
    fileprivate var bids: ExpectedSession.Side { side(bidPrices, bidSizes, Int(bidCount)) }

    fileprivate var asks: ExpectedSession.Side { side(askPrices, askSizes, Int(askCount)) }

    private func side(_ prices: [Int64], _ sizes: [Int64], _ count: Int) -> ExpectedSession.Side {
        guard let priceScale = Scale(Int(priceScale)), let sizeScale = Scale(Int(sizeScale)) else {
            return ExpectedSession.Side(count: count, best: [])
        }
        return ExpectedSession.Side(
            count: count,
            best: zip(prices, sizes).map { price, size in
                let price = Price(rawValue: price).decimal(priceScale).normalized
                return "\(price)×\(Quantity(rawValue: size).decimal(sizeScale).normalized)"
            })
    }
}

extension WireEvent {
    /// A market event without the time when it was read; `nil` for what else there is.
    fileprivate var marketText: String? {
        switch self {
        case .bookDelta(let id, var delta):
            delta.receivedTime = .zero
            return "\(id) \(delta)"
        case .trade(let id, var trade):
            trade.receivedTime = .zero
            return "\(id) \(trade)"
        case .ticker(let id, var ticker):
            ticker.receivedTime = .zero
            return "\(id) \(ticker)"
        default: return nil
        }
    }
}

extension Trade {
    /// The trade as the expected files say it.
    func expected(_ symbol: String) -> ExpectedSession.Trade {
        ExpectedSession.Trade(
            symbol: symbol, id: hasDerivedID ? nil : id, side: side.name,
            price: price.decimal(priceScale).normalized.description,
            size: size.decimal(sizeScale).normalized.description)
    }
}
