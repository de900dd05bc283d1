import Bus
import Instruments
import Metrics
import Operations
import Synchronization
import Venues
import Wire

/// What one venue's feed says about itself, to the bus and on the health page, whichever of its parts says
/// it.
final class FeedBoard: Sendable {
    private struct State {
        var report = VenueReport()
        var tradesStored: UInt64 = 0
    }

    private let venue: Venue
    private let restURL: String
    private let subscriptionsLimit: UInt64
    private let publisher: PublisherVoice
    private let instance: String
    /// `nil` when nothing is stored.
    private let queue: WriteQueue?
    private let health: HealthComponent
    private let topic: PublisherTopic?
    private let booksLive: Gauge
    private let booksWanted: Gauge
    private let state = Mutex(State())

    /// - Parameters:
    ///   - configuration: Of the venue.
    ///   - limit: How many instruments of the table of subscriptions are followed at most; 0 for none of it.
    ///   - publisher: To the bus.
    ///   - instance: Who holds the venue.
    ///   - queue: What waits to be stored.
    ///   - health: The venue's.
    init(
        _ configuration: VenueConfiguration, limit: Int, _ publisher: PublisherVoice, of instance: String,
        _ queue: WriteQueue?, _ health: HealthComponent
    ) {
        venue = configuration.venue
        restURL = configuration.restURL
        subscriptionsLimit = UInt64(limit)
        self.publisher = publisher
        self.instance = instance
        self.queue = queue
        self.health = health
        // No topic is free above a bound that is far more than what is followed.
        // Whoever follows the feed takes it for silent then.
        topic = try? publisher.topic(Topic.feedStatus(venue))
        let dimensions = [("venue", venue.rawValue)]
        booksLive = Gauge(label: "feed_books_live", dimensions: dimensions)
        booksWanted = Gauge(label: "feed_books_wanted", dimensions: dimensions)
    }

    /// A part, or the first one, has nothing to follow: where none has, there is nothing that could fail.
    func rest() { state.withLock { if !$0.report.isRunning { health.setReady(true) } } }

    /// Whether the venue's feed has the connections that it wants; so it is where nothing is wanted.
    var isConnected: Bool {
        state.withLock { !$0.report.isRunning || $0.report.figures().isConnected }
    }

    /// How many trades of the venue are in PostgreSQL, as the writer counts.
    func noteStored(_ count: UInt64) { state.withLock { $0.tradesStored = count } }

    /// A part says how it is.
    ///
    /// - Parameters:
    ///   - figures: Its own.
    ///   - part: Its number.
    ///   - isNews: Whether that cannot wait until the first part, which tells for all, says something.
    ///   - now: The time.
    func note(_ figures: FeedFigures, of part: Int, isNews: Bool, at now: Timestamp) {
        state.withLock { state in
            state.report.note(figures, of: part, at: now)
            guard isNews || state.report.first == part else { return }
            tell(&state, at: now)
        }
    }

    /// A part has ended.
    func end(_ part: Int, at now: Timestamp) {
        state.withLock { state in
            state.report.end(part)
            guard !state.report.isRunning else { return tell(&state, at: now) }
            var last = state.report.figures()
            last.state = .disconnected
            last.detail = "stopped"
            publish(last, state.tradesStored)
            health.setReady(false, "stopped")
        }
    }

    /// The venue is given back: from here on nobody holds it, until somebody says otherwise.
    func giveBack() {
        state.withLock { state in
            var last = state.report.figures()
            last.state = .disconnected
            last.detail = "given back"
            publish(last, state.tradesStored, by: "")
        }
    }

    /// In the order in which it is said, so under the lock.
    private func tell(_ state: inout State, at now: Timestamp) {
        let figures = state.report.figures()
        booksLive.record(figures.booksLive)
        booksWanted.record(figures.booksTotal)
        publish(figures, state.tradesStored)
        if figures.isConnected {
            health.setReady(true)
        } else {
            health.setReady(false, "\(venue): \(figures.detail.isEmpty ? "connecting" : figures.detail)")
        }
        judge(figures, isRecent: state.report.isRecent(at: now))
    }

    /// Tells the health page whether what we publish is worth reading.
    private func judge(_ figures: FeedFigures, isRecent: Bool) {
        if let first = figures.unexplained.first {
            let others = figures.unexplained.count - 1
            health.setFresh(false, "\(venue): \(first)\(others > 0 ? " and \(others) more" : "")")
        } else if figures.state == .disconnected {
            health.setFresh(false, "\(venue): \(figures.detail)")
        } else if isRecent {
            health.setFresh(true, for: .seconds(5))
        }
    }

    private func publish(_ figures: FeedFigures, _ tradesStored: UInt64, by holder: String? = nil) {
        guard let topic else { return }
        var message = Bitpal_V1_FeedStatus()
        message.venue = venue.rawValue
        message.instance = holder ?? instance
        message.state = figures.state
        message.detail = figures.detail
        message.messagesReceived = figures.messages
        message.malformedMessages = figures.malformed
        message.resyncs = figures.resyncs
        message.booksLive = UInt64(figures.booksLive)
        message.booksTotal = UInt64(figures.booksTotal)
        message.connectedSinceUnixNanos = figures.connectedSince.nanoseconds
        message.lastReceivedUnixNanos = figures.lastReceived.nanoseconds
        message.reconnects = figures.reconnects
        message.tradesStored = tradesStored
        message.tradesWaiting = UInt64(queue.map { $0.count(of: venue) + figures.tradesHeld } ?? 0)
        message.restURL = restURL
        message.subscriptionsLimit = subscriptionsLimit
        var batch = OutboundBatch()
        batch.append(.feedStatus(message), to: topic)
        publisher.offer(&batch)
    }
}
