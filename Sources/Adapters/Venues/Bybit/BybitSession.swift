package import Instruments
package import MarketData

/// Bybit's public V5 WebSocket and REST, and recordings of V2, as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `orderbook.<depth>.<symbol>`; the first message is a `snapshot`.
/// 2. A `delta` has absolute sizes, 0 removes, and levels that leave the depth are removed by the venue. Its
///    `u` is that of the message before + 1; anything else is a gap, save the same `u` again.
/// 3. A later `snapshot`, or `u` = 1 after a restart of the venue's service, replaces the book. A depth of 1
///    has snapshots only, and says the last one again after 3 s without a change.
/// 4. A gap: unsubscribe and subscribe again.
///
/// V2 (closed, only in recordings) has no such number: rows are deleted, updated or inserted by side and
/// price, and one that contradicts the book costs it.
///
/// A live session speaks to one category on one connection. A recording may hold several, whose names are
/// the same: then every name has its category before it, `linear:BTCUSDT` (``name(_:of:)``). A book belongs
/// to the connection and the depth that its image came from; others' changes are none of it.
///
/// Source: Bybit, "WebSocket public, Orderbook", of derivatives v3 and of V5: `u` is always in sequence, 1 is
/// a snapshot after a restart. Not confirmed: that the same `u` may come again.
package struct BybitSession: VenueSession {
    /// Where the messages of a book come from.
    struct Stream: Hashable, Sendable {
        var connection = -1
        var depth = 0
    }

    /// What belongs to one instrument besides the levels of its book.
    struct Extras: Sendable {
        var stream = Stream()
        /// `u` of the last message, in V2 `cross_seq`.
        var updateID: Int64 = 0
        /// What the ticker has said so far; `nil` until its first snapshot.
        var quote: BybitQuote?
    }

    /// How often a ping goes out although the venue talks.
    ///
    /// Source: Bybit, "V5 API, Connect, How to send the heartbeat packet"; not confirmed.
    ///
    /// Nanoseconds.
    private static let pingEvery: Int64 = 20_000_000_000

    var core: SessionCore
    var extras: [Extras] = []
    let category: BybitCategory
    /// What a recording says of its connections.
    var recordedCategories: [Int: BybitCategory] = [:]
    var requests = SubscriptionRequests()
    /// Pages of the list of instruments that have come.
    var listPages = 0
    private var pingedAt = Timestamp.zero

    /// A session that follows what the configuration names of a category.
    init(_ configuration: VenueConfiguration, _ category: BybitCategory) {
        core = SessionCore(configuration)
        self.category = category
        extras = core.trackers.map { _ in Extras() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        listPages = 0
        let list = core.configuration.restURL + "/v5/market" + category.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        let url = core.configuration.webSocketURL + "/v5/public/" + category.rawValue
        output.actions.append(.open(connection: 0, url: url))
    }

    package mutating func recorded(connection: Int, url: String) {
        recordedCategories[connection] = BybitCategory(path: URLText.path(of: url))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        pingedAt = time
        requests.forget()
        let wanted = core.registry.indices.flatMap { topics(core.channels[$0.offset], of: $0) }
        ask("subscribe", wanted, into: &output)
        for index in core.registry.indices where core.wants(.book, index) {
            core.trackers[index.offset].phase = .waiting(since: time)
            core.trackers[index.offset].attempts = 1
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        var (lost, gained): ([String], [String]) = ([], [])
        for change in changes {
            let now = core.channels[change.index.offset]
            // The ticker, the mark price and the state are one topic, which stays as long as any is wanted.
            let old = topics(change.before(now), of: change.index)
            let new = topics(now, of: change.index)
            lost += old.filter { !new.contains($0) }
            gained += new.filter { !old.contains($0) }
            if now.isDisjoint(with: BybitSession.quoting) { extras[change.index.offset].quote = nil }
        }
        guard core.isConnected else { return }
        ask("unsubscribe", lost, into: &output)
        ask("subscribe", gained, into: &output)
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
        for offset in extras.indices { extras[offset].quote = nil }
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: pingIfDue(at: time, into: &output)
        case .ping: ping(at: time, into: &output)
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        askAgain(at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    private mutating func pingIfDue(at time: Timestamp, into output: inout VenueOutput) {
        guard core.isConnected, time.nanoseconds(since: pingedAt) > Self.pingEvery else { return }
        ping(at: time, into: &output)
    }

    private mutating func ping(at time: Timestamp, into output: inout VenueOutput) {
        pingedAt = time
        output.actions.append(.send(connection: 0, text: "{\"op\":\"ping\"}"))
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
            let topics = topics(.book, of: index)
            ask("unsubscribe", topics, into: &output)
            ask("subscribe", topics, into: &output)
        }
    }

    /// Gives every instrument its extras.
    @inline(__always)
    mutating func grow() {
        while extras.count < core.trackers.count { extras.append(Extras()) }
    }
}
