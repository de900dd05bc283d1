package import Instruments
package import MarketData

/// Poloniex spot, the WebSocket of 2022 and later, as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `book_lv2`; the first message of a symbol has the action `snapshot`, its twenty best
///    levels of each side and an `id`.
/// 2. Each `update` has the `id` of the one before it as `lastId`. Sizes are absolute, 0 removes; what enters
///    and leaves the twenty levels is told.
/// 3. Any other `lastId` is a gap: unsubscribe and subscribe again. Only between a snapshot and its first
///    update may updates come that it already contains.
///
/// A snapshot that comes unasked replaces the book.
///
/// Sources: a recording of 2022; tardis-node and cryptofeed read books and `takerSide` in the same way.
package struct PoloniexSession: VenueSession {
    /// Where the updates of one book are.
    struct Sequence: Sendable {
        /// The `id` of the last message that the book contains.
        var last: Int64 = 0
        /// True until the first update after the snapshot was applied.
        var isFirst = true
    }

    /// The venue ends a connection on which it hears nothing for thirty seconds.
    static let pingEvery: Int64 = 20_000_000_000

    var core: SessionCore
    var sequences: [Sequence] = []
    var backoff = TopicBackoff<PoloniexTopic>()
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
        let url = core.configuration.restURL + core.configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: url)))
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL + "/ws/public"))
    }

    private mutating func ask(
        _ event: String, _ feed: PoloniexFeed, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = instruments[start..<min(start + limit, instruments.count)]
            let text = feed.text(event, part.map { core.registry[$0].symbol })
            output.actions.append(.send(connection: 0, text: text))
        }
        for index in instruments {
            let topic = PoloniexTopic(feed: feed, index: index)
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
        for feed in PoloniexFeed.allCases {
            let lost = changes.filter { $0.lost.contains(feed.channel) }.map(\.index)
            ask("unsubscribe", feed, lost, into: &output)
            let gained = changes.filter { $0.gained.contains(feed.channel) }.map(\.index)
            ask("subscribe", feed, gained, into: &output)
        }
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        pingedAt = time
        backoff.removeAll()
        for feed in PoloniexFeed.allCases {
            let wanted = core.registry.indices.filter { core.wants(feed.channel, $0) }
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
        // The venue wants to hear of us however much it says.
        if time.nanoseconds(since: pingedAt) > Self.pingEvery { ping(at: time, into: &output) }
        let due = backoff.takeDue(at: time)
        if !due.isEmpty {
            for feed in PoloniexFeed.allCases {
                ask("subscribe", feed, due.filter { $0.feed == feed }.map(\.index), into: &output)
            }
        }
        askForImages(at: time, into: &output)
    }

    private mutating func ping(at time: Timestamp, into output: inout VenueOutput) {
        pingedAt = time
        output.actions.append(.send(connection: 0, text: "{\"event\":\"ping\"}"))
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
