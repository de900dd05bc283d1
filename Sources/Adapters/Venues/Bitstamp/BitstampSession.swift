package import Instruments
package import MarketData

/// Bitstamp's WebSocket API v2 as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `diff_order_book_<pair>` and buffer its messages. When the subscription is confirmed, get
///    the whole book from `GET /api/v2/order_book/<pair>/`.
/// 2. A book that is older than the first buffered message, or than one that was seen before, is fetched
///    again.
/// 3. Messages whose `microtimestamp` is not later than the book's are dropped, all later ones applied:
///    amounts are absolute, 0 removes.
/// 4. A message that is older than the one before it came in the wrong order: the book is lost. One that is
///    missing does not show, so that an audit has to find it.
///
/// Sources: Bitstamp, "WebSocket API v2", read in a copy, and a recording of 2022, whose books it reads so.
package struct BitstampSession: VenueSession {
    /// What the changes of one book are at.
    struct DiffState: Sendable {
        /// Whether the venue has confirmed the subscription.
        var isSubscribed = false
        /// The time of the book's image or its last change, the newest that was ever seen.
        var last = Timestamp.zero
        /// Whether a change was applied since the image.
        var hasChanged = false
        /// Changes that are passed over.
        var stale = StaleRun()
        /// Since when images have been too old; `nil` where none was.
        var refusedSince: Timestamp?
        /// Changes that wait for the image.
        var pending: [BitstampDiff] = []
    }

    /// How long images may be older than a change that was seen, in nanoseconds.
    ///
    /// Longer, and it was the change's time that was wrong, as when the venue's clock is set back.
    static let memory: Int64 = 30_000_000_000

    /// Changes of one book that may wait for its image: ten minutes at ten a second.
    static let pendingLimit = 6_000

    var core: SessionCore
    var diffs: [DiffState] = []
    var retry = SubscriptionRetry()

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        diffs = core.trackers.map { _ in DiffState() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    /// The names of the channels without their pairs.
    static let channels: [(name: StaticString, channel: ChannelSet)] = [
        ("diff_order_book_", .book), ("live_trades_", .trade),
    ]

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let list = core.configuration.restURL + "/api/v2" + core.configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        retry.forget()
        for (name, channel) in Self.channels {
            let wanted = core.registry.indices.filter { core.wants(channel, $0) }
            ask("subscribe", name, wanted, into: &output)
            guard channel == .book else { continue }
            for index in wanted {
                diffs[index.offset] = DiffState()
                core.trackers[index.offset].phase = .waiting(since: time)
                core.trackers[index.offset].attempts = 1
                core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
            }
        }
    }

    private func ask(
        _ operation: String, _ channel: StaticString, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        for index in instruments {
            let topic = "\(channel)\(core.registry[index].symbol)"
            let text = "{\"event\":\"bts:\(operation)\",\"data\":{\"channel\":\"\(topic)\"}}"
            output.actions.append(.send(connection: 0, text: text))
        }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        for change in changes where change.lost.contains(.book) || change.gained.contains(.book) {
            diffs[change.index.offset] = DiffState()
        }
        guard core.isConnected else { return }
        for (name, channel) in Self.channels {
            ask("unsubscribe", name, changes.filter { $0.lost.contains(channel) }.map(\.index), into: &output)
            ask("subscribe", name, changes.filter { $0.gained.contains(channel) }.map(\.index), into: &output)
        }
    }

    mutating func grow() {
        while diffs.count < core.trackers.count { diffs.append(DiffState()) }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: output.actions.append(.send(connection: 0, text: "{\"event\":\"bts:heartbeat\"}"))
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        // A refusal does not say of what. Books are asked for by themselves.
        if retry.takeDue(at: time) {
            let wanted = core.registry.indices.filter { core.wants(.trade, $0) }
            ask("subscribe", "live_trades_", wanted, into: &output)
        }
        askForImages(at: time, into: &output)
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    /// What has been seen is kept in mind, so that no image is taken that lacks it.
    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        diffs[index.offset].pending.removeAll()
        core.lose(index, reason, detail, at: time, into: &output)
    }

    /// Asks for images that are due; of what is not subscribed yet, for the subscription again.
    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            guard diffs[index.offset].isSubscribed else {
                ask("subscribe", "diff_order_book_", [index], into: &output)
                continue
            }
            output.actions.append(.request(VenueRequest(purpose: .bookSnapshot(index), url: bookURL(index))))
        }
    }

    func bookURL(_ index: InstrumentIndex) -> String {
        let symbol = URLText.escape(core.registry[index].symbol)
        return "\(core.configuration.restURL)/api/v2/order_book/\(symbol)/"
    }
}
