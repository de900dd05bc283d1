package import Instruments
package import MarketData

/// Gate spot and futures, WebSocket v4, as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `order_book_update` and buffer its messages; get an image from the order book route with
///    `with_id=true`. The channel keeps as many levels as are asked for there.
/// 2. An image that ends before the first buffered message begins is fetched again.
/// 3. Messages with `u <= id` are dropped. The first applied one has `U <= id + 1 <= u`.
/// 4. From then on `U` is the previous `u + 1`; anything above is a gap and the book starts again.
/// 5. Sizes are absolute; 0 removes. A message with `full` is an image by itself, as the channel `obu` has.
///
/// Source: Gate, "How to maintain local order book", as its own examples (gatews) repeat it for spot; that
/// futures do the same, and that spot keeps 100 levels at 100 ms, is not confirmed.
package struct GateioSession: VenueSession {
    /// Levels a side that the channel keeps at its pace of 100 ms.
    static let depth = 100
    /// Messages of one book that may wait for its image: ten minutes at ten a second.
    static let pendingLimit = 6_000

    /// What the stream of one book is at.
    struct DepthState: Sendable {
        /// The last update that the book contains.
        var lastID: Int64 = 0
        /// True until the first message after the image was applied.
        var isFirst = true
        /// Messages that are passed over.
        var stale = StaleRun()
        /// Messages that wait for the image.
        var pending: [GateioDiff] = []
        /// Where its messages come from.
        var stream = GateioStream.updates
    }

    var core: SessionCore
    var depths: [DepthState] = []
    /// Books whose newest subscription the venue has confirmed.
    var confirmedBooks: Set<InstrumentIndex> = []
    var backoff = TopicBackoff<GateioTopic>()
    /// By the number that the venue gives back.
    var requests: [Int64: GateioRequest] = [:]
    private var requestID: Int64 = 0
    let market: GateioMarket

    /// A session that follows what the configuration names, on one of the markets.
    init(_ configuration: VenueConfiguration, _ market: GateioMarket) {
        core = SessionCore(configuration)
        self.market = market
        depths = core.trackers.map { _ in DepthState() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let list = String(core.configuration.description.instrumentList.dropFirst())
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: route(list))))
        let url = core.configuration.webSocketURL + market.socketPath
        output.actions.append(.open(connection: 0, url: url))
    }

    func route(_ name: String) -> String { core.configuration.restURL + market.path + name }

    /// Subscribes or unsubscribes, in as few messages as the channel allows.
    mutating func ask(
        _ event: String, _ feed: GateioFeed, _ instruments: [InstrumentIndex], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        // Spot has neither mark prices nor liquidations.
        guard market == .futures || (feed != .tickers && feed != .liquidations) else { return }
        let limit = feed.takesMany ? core.configuration.description.topicsPerMessage : 1
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = Array(instruments[start..<min(start + limit, instruments.count)])
            requestID += 1
            if event == "subscribe" { requests[requestID] = GateioRequest(feed: feed, indices: part) }
            let payload = feed.payload(part.map { core.registry[$0].symbol }, market)
            let text =
                head(feed.rawValue, at: time) + ",\"id\":\(requestID),\"event\":\"\(event)\""
                + ",\"payload\":\(payload)}"
            output.actions.append(.send(connection: 0, text: text))
        }
        for index in instruments {
            let topic = GateioTopic(feed: feed, index: index)
            if feed == .book { confirmedBooks.remove(index) }
            if event == "subscribe" { backoff.asked(topic) } else { backoff.settled(topic) }
        }
    }

    /// How every message to the venue begins.
    private func head(_ channel: String, at time: Timestamp) -> String {
        "{\"time\":\(time.nanoseconds / 1_000_000_000),\"channel\":\"\(market.rawValue).\(channel)\""
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        for change in changes {
            if change.lost.contains(.book) { depths[change.index.offset] = DepthState() }
            if change.gained.contains(.book) { expectImage(change.index) }
        }
        guard core.isConnected else { return }
        for feed in GateioFeed.allCases {
            let turns = core.turns(changes, of: feed.channels)
            ask("unsubscribe", feed, turns.lost, at: time, into: &output)
            ask("subscribe", feed, turns.gained, at: time, into: &output)
        }
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        backoff.removeAll()
        requests.removeAll()
        confirmedBooks.removeAll()
        for feed in GateioFeed.allCases {
            let wanted = core.registry.indices.filter { core.wantsAny(of: feed.channels, $0) }
            ask("subscribe", feed, wanted, at: time, into: &output)
        }
        for index in core.registry.indices where core.wants(.book, index) {
            expectImage(index)
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        backoff.removeAll()
        requests.removeAll()
        confirmedBooks.removeAll()
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: output.actions.append(.send(connection: 0, text: head("ping", at: time) + "}"))
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        let due = backoff.takeDue(at: time)
        if !due.isEmpty {
            for feed in GateioFeed.allCases {
                let indices = due.filter { $0.feed == feed }.map(\.index)
                ask("subscribe", feed, indices, at: time, into: &output)
            }
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

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        guard core.isConnected else { return }
        while let index = core.takeDue(at: time) {
            output.actions.append(.request(VenueRequest(purpose: .bookSnapshot(index), url: bookURL(index))))
        }
    }

    mutating func grow() {
        while depths.count < core.trackers.count { depths.append(DepthState()) }
    }
}
