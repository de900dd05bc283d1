package import Bus
package import Instruments
package import MarketData
import MarketStore
package import Store
import Wire

// SAFETY: A test calls it from one task at a time.
/// A feed of one instrument that says and stores what a test wants, as feed-ingestor does.
package final class TestTape: @unchecked Sendable {
    /// The instrument, which ``prepare(_:)`` enters.
    package let id: InstrumentID
    /// The newest trade.
    package private(set) var last: Trade?
    fileprivate let publisher: Publisher
    private let trades: PublisherTopic
    private let stored: PublisherTopic
    private let status: PublisherTopic
    private let top: PublisherTopic
    private var count = 0
    private var time: Timestamp
    private var lastBeat: ContinuousClock.Instant?
    /// How many instruments of the venue the feed says it follows at most.
    package var subscriptionsLimit: UInt64 = 200
    /// Trades that were said and are not stored.
    package private(set) var waiting: [Trade] = []

    /// - Parameters:
    ///   - id: Of what.
    ///   - publisher: By whom; it runs already.
    /// - Throws: `BusError` when the publisher has too many topics.
    package init(_ id: InstrumentID, _ publisher: Publisher) throws {
        self.id = id
        self.publisher = publisher
        trades = try publisher.topic(Topic.trade(id))
        stored = try publisher.topic(Topic.tradesStored(id))
        status = try publisher.topic(Topic.feedStatus(id.venue))
        top = try publisher.topic(Topic.bookTop(id))
        time = BusClock.wall()
    }

    /// Enters the instrument.
    package static func prepare(_ id: InstrumentID, in database: Database) async throws {
        let instrument = Instrument(
            id: id, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
            priceScale: Scale(2) ?? .zero, sizeScale: .zero, tickSize: nil, lotSize: nil)
        try await database.store([instrument], at: .zero)
    }

    /// The next trade at a price in whole units; a millisecond after the last at least.
    package func trade(_ price: Int64) -> Trade {
        count += 1
        time = max(time.adding(nanoseconds: 1_000_000), BusClock.wall())
        let trade = Trade(
            id: "t\(count)", side: .buy, price: Price(price * 100), size: Quantity(1),
            priceScale: Scale(2) ?? .zero, sizeScale: .zero, venueTime: time, receivedTime: time)
        last = trade
        waiting.append(trade)
        return trade
    }

    /// Says a trade on the bus.
    package func say(_ trade: Trade) {
        var batch = OutboundBatch()
        batch.append(.trade(id, trade), to: trades)
        publisher.offer(&batch)
    }

    /// Makes trades at prices and says them.
    package func say(_ prices: [Int64]) { for price in prices { say(trade(price)) } }

    /// Makes a trade whose message never arrives.
    package func lose(_ price: Int64) {
        var batch = OutboundBatch()
        batch.append(.trade(id, trade(price)), to: trades)
        batch.removeAll()
    }

    /// Stores what is not stored yet, and says so.
    package func store(in database: Database) async throws {
        guard let newest = waiting.last else { return }
        var rows = TradeBatch()
        for trade in waiting { rows.append(trade, of: id) }
        _ = try await database.insert(rows)
        let mark = TradesStored(
            lastTradeID: newest.id, lastVenueTime: newest.venueTime, inserted: UInt64(waiting.count))
        waiting.removeAll()
        var batch = OutboundBatch()
        batch.append(.tradesStored(id, mark), to: stored)
        publisher.offer(&batch)
    }

    /// Says how the feed is, at most fifty times a second.
    package func beat(isLive: Bool = true, isForced: Bool = false) {
        if !isForced, let lastBeat, .now - lastBeat < .milliseconds(20) { return }
        lastBeat = .now
        var message = Bitpal_V1_FeedStatus()
        message.venue = id.venue.rawValue
        message.state = isLive ? .live : .disconnected
        message.tradesWaiting = UInt64(waiting.count)
        message.subscriptionsLimit = subscriptionsLimit
        var batch = OutboundBatch()
        batch.append(.feedStatus(message), to: status)
        publisher.offer(&batch)
    }

    /// Says best prices in whole units.
    package func quote(_ state: BookState, bid: Int64, ask: Int64) {
        func level(_ price: Int64) -> BookLevel { BookLevel(price: Price(price * 100), size: Quantity(1)) }
        time = max(time.adding(nanoseconds: 1_000_000), BusClock.wall())
        let quote = BookTop(
            state: state, reason: state == .live ? .verified : .feedSilent, priceScale: Scale(2) ?? .zero,
            sizeScale: .zero, bid: level(bid), ask: level(ask), at: nil, venueTime: time, receivedTime: time)
        var batch = OutboundBatch()
        batch.append(.bookTop(id, quote), to: top)
        publisher.offer(&batch)
    }
}

extension TestTape {
    /// Says a closed candle of one minute, `minute` counted from 1970.
    package func close(minute: Int64, at price: Int64) throws {
        var candle = Bitpal_V1_Candle()
        candle.instrument = id.description
        candle.interval = "1m"
        candle.startUnixNanos = minute * 60_000_000_000
        candle.stopUnixNanos = (minute + 1) * 60_000_000_000
        (candle.open, candle.high, candle.low, candle.close) = (price, price, price, price)
        candle.isClosed = true
        candle.receivedTimeUnixNanos = BusClock.wall().nanoseconds
        (candle.baseVolume, candle.takerBuyVolume) = ("1", "1")
        var batch = OutboundBatch()
        batch.append(.madeCandle(id, candle), to: try publisher.topic(Topic.candle(interval: "1m", id)))
        publisher.offer(&batch)
    }
}
