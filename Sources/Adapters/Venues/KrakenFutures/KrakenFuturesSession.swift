package import Instruments
package import MarketData

/// Kraken Futures, WebSocket v1, as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `book`; the first message of a product is `book_snapshot` with all levels and a `seq`.
/// 2. Each `book` message sets one level: `qty` is absolute, 0 removes. Its `seq` is the last of the product
///    + 1.
/// 3. Any other `seq` is a gap: unsubscribe and subscribe again. Only between a snapshot and its first change
///    may changes come that it already contains.
///
/// A snapshot that comes unasked replaces the book.
///
/// Sources: a recording of 2021, and cryptofeed, which counts `seq` by product in the same way.
package struct KrakenFuturesSession: VenueSession {
    /// Where the changes of one book are.
    struct Sequence: Sendable {
        /// Of the last message that the book contains.
        var last: Int64 = 0
        /// True until the first change after the snapshot was applied.
        var isFirst = true
    }

    /// Half of what the venue allows to pass without a ping.
    ///
    /// Nanoseconds.
    static let pingEvery: Int64 = 30_000_000_000

    var core: SessionCore
    var sequences: [Sequence] = []
    var backoff = TopicBackoff<KrakenFuturesTopic>()
    private var pingedAt = Timestamp.zero

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        sequences = core.trackers.map { _ in Sequence() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: route("instruments"))))
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL + "/ws/v1"))
    }

    func route(_ name: String) -> String { core.configuration.restURL + "/derivatives/api/v3/" + name }

    private mutating func ask(
        _ event: String, _ feed: KrakenFuturesFeed, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = instruments[start..<min(start + limit, instruments.count)]
            let text = feed.text(event, part.map { core.registry[$0].symbol })
            output.actions.append(.send(connection: 0, text: text))
        }
        for index in instruments {
            let topic = KrakenFuturesTopic(feed: feed, index: index)
            if event == "subscribe" { backoff.asked(topic) } else { backoff.settled(topic) }
        }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        guard core.isConnected else { return }
        for feed in KrakenFuturesFeed.allCases {
            let turns = core.turns(changes, of: feed.channels)
            ask("unsubscribe", feed, turns.lost, into: &output)
            ask("subscribe", feed, turns.gained, into: &output)
        }
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        pingedAt = time
        backoff.removeAll()
        for feed in KrakenFuturesFeed.allCases {
            let wanted = core.registry.indices.filter { core.wantsAny(of: feed.channels, $0) }
            ask("subscribe", feed, wanted, into: &output)
            guard feed == .book else { continue }
            for index in wanted {
                core.trackers[index.offset].phase = .waiting(since: time)
                core.trackers[index.offset].attempts = 1
                core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
            }
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        backoff.removeAll()
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: ping(at: time, into: &output)
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        // The venue wants to be pinged however much it says.
        if time.nanoseconds(since: pingedAt) > Self.pingEvery { ping(at: time, into: &output) }
        askAgain(at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    private mutating func ping(at time: Timestamp, into output: inout VenueOutput) {
        pingedAt = time
        output.actions.append(.ping(connection: 0))
    }

    private mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        let due = backoff.takeDue(at: time)
        guard !due.isEmpty else { return }
        for feed in KrakenFuturesFeed.allCases {
            ask("subscribe", feed, due.filter { $0.feed == feed }.map(\.index), into: &output)
        }
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        core.lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            ask("unsubscribe", .book, [index], into: &output)
            ask("subscribe", .book, [index], into: &output)
        }
    }

    mutating func grow() {
        while sequences.count < core.trackers.count { sequences.append(Sequence()) }
    }
}
