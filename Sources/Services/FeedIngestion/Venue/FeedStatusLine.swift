import Bus
import Instruments
import Logging
import Venues
import Wire

/// What a feed says about itself.
struct FeedFigures: Sendable, Hashable {
    var state = Bitpal_V1_FeedState.connecting
    var messages: UInt64 = 0
    var malformed: UInt64 = 0
    var resyncs: UInt64 = 0
    var booksLive = 0
    var booksTotal = 0
    /// Books that have not been live for longer than a resync should take, with their states.
    var unexplained: [String] = []
    var connectedSince = Timestamp.zero
    var lastReceived = Timestamp.zero
    var tradesStored: UInt64 = 0
    var tradesWaiting = 0
}

/// Publishes `feed.status`, and keeps what belongs to it.
struct FeedStatusLine {
    var detail = ""
    var reconnects: UInt64 = 0
    var nextAudit: Timestamp?
    var tradesStored: UInt64 = 0
    /// Since when each book, by index, has not been live; `nil` for a live one.
    var notLiveSince: [Timestamp?] = []
    private let venue: Venue
    private let restURL: String
    private let subscriptionsLimit: UInt64
    private let publisher: Publisher
    private let topic: PublisherTopic?
    private var batch = OutboundBatch()
    private var lastMalformedLog: Timestamp?
    private var lastUnusableLog: Timestamp?

    init(_ configuration: VenueConfiguration, limit: Int, publisher: Publisher) {
        venue = configuration.venue
        restURL = configuration.restURL
        subscriptionsLimit = UInt64(limit)
        self.publisher = publisher
        // No topic is free above a bound that is far more than what is followed.
        // Whoever follows the feed takes it for silent then.
        topic = try? publisher.topic(Topic.feedStatus(venue))
    }

    mutating func publish(isFinal: Bool, _ figures: FeedFigures) {
        guard let topic else { return }
        var message = Bitpal_V1_FeedStatus()
        message.venue = venue.rawValue
        message.state = isFinal ? .disconnected : figures.state
        message.detail = isFinal ? "stopped" : detail
        message.messagesReceived = figures.messages
        message.malformedMessages = figures.malformed
        message.resyncs = figures.resyncs
        message.booksLive = isFinal ? 0 : UInt64(figures.booksLive)
        message.booksTotal = UInt64(figures.booksTotal)
        message.connectedSinceUnixNanos = figures.connectedSince.nanoseconds
        message.lastReceivedUnixNanos = figures.lastReceived.nanoseconds
        message.reconnects = reconnects
        message.tradesStored = figures.tradesStored
        message.tradesWaiting = UInt64(figures.tradesWaiting)
        message.restURL = restURL
        message.subscriptionsLimit = subscriptionsLimit
        batch.append(.feedStatus(message), to: topic)
        publisher.offer(&batch)
    }

    /// Logs the kind and size of a message that made no sense, at most once in ten seconds.
    mutating func malformed(_ message: (kind: StaticString, bytes: Int), _ logger: Logger, at now: Timestamp)
    {
        if let last = lastMalformedLog, now.nanoseconds(since: last) < 10_000_000_000 { return }
        lastMalformedLog = now
        logger.warning(
            "A message could not be read", metadata: ["kind": "\(message.kind)", "bytes": "\(message.bytes)"])
    }

    /// Logs a trade that was left out, at most once in ten seconds.
    mutating func unusable(
        _ trade: UnusableTrade, of instrument: InstrumentID, _ logger: Logger, at now: Timestamp
    ) {
        if let last = lastUnusableLog, now.nanoseconds(since: last) < 10_000_000_000 { return }
        lastUnusableLog = now
        logger.warning(
            "A trade without a price or a size above zero was left out",
            metadata: [
                "instrument": "\(instrument)", "trade": "\(trade.id)", "price": "\(trade.price)",
                "size": "\(trade.size)",
            ])
    }
}
