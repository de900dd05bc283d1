import Bus
import Instruments
import MarketData
import Venues
import Wire

/// A trade that was published, with its instrument's place in the session.
struct ComposedTrade {
    let index: InstrumentIndex
    let queued: QueuedTrade
}

/// Turns what one session says into messages of the bus, in the session's order.
struct FeedComposer {
    /// What was composed since the feed began.
    struct Counts: Hashable, Sendable {
        var deltas: UInt64 = 0
        var snapshots: UInt64 = 0
        var trades: UInt64 = 0
        /// Events that no topic can carry.
        var unpublishable: UInt64 = 0
    }

    /// By instrument index; grows with the registry.
    private(set) var streams: [BookStream] = []
    /// What was composed since the feed began.
    private(set) var counts = Counts()
    private var topics: [InstrumentTopics?] = []
    /// The last ticker of each instrument, for a broker that knows nothing.
    private var tickers: [Ticker?] = []
    /// The last state of each derivative, for the same.
    private var derivatives: [InstrumentIndex: DerivativeTicker] = [:]
    /// Whose topics are another feed's by now.
    private var retired: Set<InstrumentIndex> = []
    private var owesTickers = false
    private let publisher: PublisherVoice
    private let snapshotEvery: Int
    /// Whether any book may owe a snapshot: spares the search after each burst.
    private var mayOwe = false

    init(publisher: PublisherVoice, snapshotEvery: Int) {
        self.publisher = publisher
        self.snapshotEvery = snapshotEvery
    }

    /// Appends every event of the output; trades are handed out as well, to be stored.
    mutating func compose(
        _ output: borrowing VenueOutput, _ registry: borrowing InstrumentRegistry,
        into batch: inout OutboundBatch,
        trades: inout [ComposedTrade]
    ) {
        if streams.count < registry.count { enter(registry) }
        for event in output.events {
            switch event {
            case .book(let event): compose(event, output.levels[event.levels], into: &batch)
            case .state(let index, let change): compose(change, index, into: &batch)
            case .trade(let index, let trade):
                guard let topics = topics[index.offset] else { continue }
                counts.trades &+= 1
                batch.append(.trade(topics.id, trade), to: topics.trade)
                trades.append(
                    ComposedTrade(index: index, queued: QueuedTrade(instrument: topics.id, trade: trade)))
            case .ticker(let index, let ticker):
                guard let topics = topics[index.offset] else { continue }
                tickers[index.offset] = ticker
                batch.append(.ticker(topics.id, ticker), to: topics.ticker)
            case .mark(let index, let mark):
                guard let topics = topics[index.offset] else { continue }
                batch.append(.mark(topics.id, mark), to: topics.mark)
            case .derivative(let index, let ticker):
                guard let topics = topics[index.offset] else { continue }
                derivatives[index] = ticker
                batch.append(.derivative(topics.id, ticker), to: topics.derivative)
            case .liquidation(let index, let liquidation):
                guard let topics = topics[index.offset] else { continue }
                batch.append(.liquidation(topics.id, liquidation), to: topics.liquidation)
            case .candle(let index, let candle):
                guard let topic = topics[index.offset]?.candle(candle.interval) else { continue }
                batch.append(.candle(registry[index], candle), to: topic)
            case .instrument: break
            }
        }
    }

    // MARK: - Snapshots that nobody's event asked for

    /// Every book that has been told of owes a snapshot, and the tickers are owed too, as when a broker knows
    /// nothing.
    mutating func wantEverything() {
        owesTickers = true
        for offset in streams.indices { streams[offset].wantSnapshot() }
        mayOwe = true
    }

    /// The book of a snapshot topic owes a snapshot; `false` when the topic is none of these.
    mutating func wantSnapshot(topic text: String) -> Bool {
        guard let offset = topics.firstIndex(where: { $0?.snapshot.text == text }) else { return false }
        streams[offset].wantSnapshot()
        mayOwe = true
        return true
    }

    /// Books whose messages were refused by the publisher owe a snapshot.
    mutating func noticeLosses() {
        for offset in streams.indices {
            guard let topics = topics[offset] else { continue }
            let lostDelta = topics.delta.takeLoss()
            let lostSnapshot = topics.snapshot.takeLoss()
            guard lostDelta || lostSnapshot else { continue }
            streams[offset].wantSnapshot()
            mayOwe = true
        }
    }

    /// Appends the snapshots that are owed, taking the session's books from `book`.
    ///
    /// Every event of the session must have been composed before.
    mutating func payDebts(into batch: inout OutboundBatch, book: (InstrumentIndex) -> Book?) {
        guard mayOwe else { return }
        mayOwe = false
        if owesTickers { repeatTickers(into: &batch) }
        for offset in streams.indices {
            let index = InstrumentIndex(rawValue: Int32(truncatingIfNeeded: offset))
            let isDue = streams[offset].owesSnapshot || streams[offset].messagesSinceSnapshot >= snapshotEvery
            // Without a position nothing was said of this book, and there is nothing to repeat.
            guard isDue, let topics = topics[offset], let position = topics.delta.lastPosition,
                let book = book(index)
            else { continue }
            let snapshot = streams[offset].snapshot(of: book, continues: position)
            batch.append(.bookSnapshot(topics.id, snapshot), to: topics.snapshot)
            streams[offset].snapshotWasSent()
            counts.snapshots &+= 1
        }
    }

    private mutating func repeatTickers(into batch: inout OutboundBatch) {
        owesTickers = false
        for (offset, ticker) in tickers.enumerated() {
            guard let ticker, let topics = topics[offset] else { continue }
            batch.append(.ticker(topics.id, ticker), to: topics.ticker)
        }
        for (index, ticker) in derivatives.sorted(by: { $0.key.offset < $1.key.offset }) {
            guard let topics = topics[index.offset] else { continue }
            batch.append(.derivative(topics.id, ticker), to: topics.derivative)
        }
    }

    // MARK: - Instruments of other feeds

    /// Says nothing more of these: another feed does, and a topic has one owner.
    mutating func retire(_ indices: [InstrumentIndex]) {
        for index in indices where topics.indices.contains(index.offset) {
            topics[index.offset] = nil
            streams[index.offset] = BookStream()
            tickers[index.offset] = nil
            derivatives[index] = nil
            retired.insert(index)
        }
    }

    /// Has to do with these again, as far as it did not.
    mutating func revive(_ indices: [InstrumentIndex], _ registry: borrowing InstrumentRegistry) {
        guard !retired.isEmpty else { return }
        for index in indices where retired.remove(index) != nil {
            topics[index.offset] = try? InstrumentTopics(registry[index], publisher)
        }
    }

    // MARK: - Books

    private mutating func compose(
        _ event: BookEvent, _ levels: ArraySlice<BookLevelChange>, into batch: inout OutboundBatch
    ) {
        let offset = event.instrument.offset
        guard let topics = topics[offset] else { return }
        if event.isSnapshot {
            if let change = streams[offset].emptying(at: event.receivedTime) {
                compose(change, event.instrument, into: &batch)
            }
            streams[offset].tellWhole(
                isCrossed: event.summary.isCrossed, venueTime: event.venueTime,
                receivedTime: event.receivedTime)
            batch.append(.bookSnapshot(topics.id, snapshot(event, levels, topics)), to: topics.snapshot)
            counts.snapshots &+= 1
            return
        }
        streams[offset].tellDelta(venueTime: event.venueTime, receivedTime: event.receivedTime)
        let delta = BookDelta(
            priceScale: event.priceScale, sizeScale: event.sizeScale, changes: Array(levels),
            venueTime: event.venueTime, receivedTime: event.receivedTime)
        batch.append(.bookDelta(topics.id, delta), to: topics.delta)
        counts.deltas &+= 1
        if streams[offset].messagesSinceSnapshot >= snapshotEvery { mayOwe = true }
    }

    private func snapshot(
        _ event: BookEvent, _ levels: ArraySlice<BookLevelChange>, _ topics: InstrumentTopics
    ) -> BookSnapshot {
        let stream = streams[event.instrument.offset]
        let split = levels.firstIndex { $0.side == .ask } ?? levels.endIndex
        return BookSnapshot(
            state: stream.state, reason: stream.reason, detail: stream.detail, priceScale: event.priceScale,
            sizeScale: event.sizeScale,
            bids: levels[..<split].map { BookLevel(price: $0.price, size: $0.size) },
            asks: levels[split...].map { BookLevel(price: $0.price, size: $0.size) },
            continues: topics.delta.lastPosition, venueTime: event.venueTime, receivedTime: event.receivedTime
        )
    }

    private mutating func compose(
        _ change: BookStateChange, _ index: InstrumentIndex, into batch: inout OutboundBatch
    ) {
        guard let topics = topics[index.offset] else { return }
        streams[index.offset].apply(change)
        batch.append(.bookStateChange(topics.id, change), to: topics.delta)
    }

    private mutating func enter(_ registry: borrowing InstrumentRegistry) {
        for offset in streams.count..<registry.count {
            let index = InstrumentIndex(rawValue: Int32(truncatingIfNeeded: offset))
            streams.append(BookStream())
            tickers.append(nil)
            do {
                topics.append(try InstrumentTopics(registry[index], publisher))
            } catch {
                counts.unpublishable &+= 1
                topics.append(nil)
            }
        }
    }
}

extension BookSummary {
    /// Whether the best bid is at or above the best ask.
    fileprivate var isCrossed: Bool {
        guard let bid, let ask else { return false }
        return bid.price >= ask.price
    }
}
