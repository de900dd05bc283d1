package import Instruments
package import MarketData

/// Deribit's public JSON-RPC over WebSocket and its REST, as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `book.<instrument>.100ms`; without a key the venue gives no `raw` ones. The first
///    notification is the `snapshot`, of any depth, and may be empty on both sides.
/// 2. A `change` has rows of `new`, `change` or `delete` with a price and an absolute amount. Its
///    `prev_change_id` is the `change_id` of the one before; anything else is a gap.
/// 3. A gap: unsubscribe and subscribe again.
///
/// Books that are grouped or of a limited depth have no `type`: each notification is a whole image. A book
/// belongs to the connection and the channel that its image came from.
///
/// The venue asks for a sign of life by `test_request`, to be answered by `public/test`. Combinations of
/// instruments, whose prices may be below zero, are not followed.
///
/// Source: Deribit API, "book.(instrument_name).(interval)", "public/set_heartbeat" and "Notifications", read
/// 2026-11.
package struct DeribitSession: VenueSession {
    /// What belongs to one instrument besides the levels of its book.
    struct Extras: Sendable {
        /// The connection that its book comes from.
        var connection = -1
        /// The channel's words behind the symbol, as that of a symbol.
        var interval = SymbolKey(UnsafeRawBufferPointer(start: nil, count: 0))
        /// Whether the channel says changes; images alone give way to those.
        var saysChanges = false
        /// `change_id` of the last notification.
        var changeID: Int64 = 0
    }

    /// Seconds between signs of life of the venue; at least 10.
    private static let heartbeat = 30

    var core: SessionCore
    var extras: [Extras] = []
    var requests = SubscriptionRequests()

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        extras = core.trackers.map { _ in Extras() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let configuration = core.configuration
        let list = configuration.restURL + "/api/v2/public" + configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        output.actions.append(.open(connection: 0, url: configuration.webSocketURL + "/ws/api/v2"))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        requests.forget()
        send("public/set_heartbeat", "{\"interval\":\(Self.heartbeat)}", into: &output)
        let wanted = core.registry.indices.flatMap { channels(core.channels[$0.offset], of: $0) }
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
            // One channel brings several of ours and stays as long as any is wanted.
            let old = channels(change.before(now), of: change.index)
            let new = channels(now, of: change.index)
            lost += old.filter { !new.contains($0) }
            gained += new.filter { !old.contains($0) }
        }
        guard core.isConnected else { return }
        ask("unsubscribe", lost, into: &output)
        ask("subscribe", gained, into: &output)
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: send("public/test", "{}", into: &output)
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        askAgain(at: time, into: &output)
        askForImages(at: time, into: &output)
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
            let channels = channels(.book, of: index)
            ask("unsubscribe", channels, into: &output)
            ask("subscribe", channels, into: &output)
        }
    }

    /// The index of a symbol, with the extras that belong to it.
    @inline(__always)
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        if extras.count < core.trackers.count { grow() }
        return index
    }

    /// Gives every instrument its extras.
    mutating func grow() {
        while extras.count < core.trackers.count { extras.append(Extras()) }
    }
}
