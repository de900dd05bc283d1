package import Instruments
package import MarketData

/// Upbit as a state machine.
///
/// Procedure of a book: each message of type `orderbook` is the whole of it, as the venue shows it. There is
/// neither sequence nor checksum; whatever is wrong is so until the next message, and an audit compares with
/// `GET /v1/orderbook`, which is also asked for a book that was lost. One of which nothing has come yet may
/// have no subscription: the list is sent again, to which the venue answers with all of them.
///
/// A connection has one list of types and codes: it is sent whole each time, since a list replaces the one
/// before it. Lists of either format and of several messages in an array replay.
///
/// Source: Upbit, "WebSocket usage guide", and a recording. Not confirmed: that a list replaces the last one.
package struct UpbitSession: VenueSession {
    /// The name under which the one list is asked for again.
    private static let list = "list"

    var core: SessionCore
    var refused = RefusedTopics()
    /// The list that was sent last on this connection.
    var sentList: String?
    /// Books that the connection has brought: they are subscribed to.
    var heard: Set<InstrumentIndex> = []

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) { core = SessionCore(configuration) }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let configuration = core.configuration
        let url = configuration.restURL + configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: url)))
        output.actions.append(.open(connection: 0, url: configuration.webSocketURL + "/websocket/v1"))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        refused.removeAll()
        heard.removeAll()
        ask(into: &output)
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
        for change in changes where change.lost.contains(.book) { heard.remove(change.index) }
        if core.isConnected, !changes.isEmpty { ask(into: &output) }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: output.actions.append(.send(connection: 0, text: "PING"))
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        if !refused.takeDue(at: time).isEmpty { ask(into: &output) }
        askForImages(at: time, into: &output)
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        core.lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            if try scanner.peek() == 0x5B {
                try scanner.array { scanner throws(ScanError) in
                    try take(try UpbitMessage.read(&scanner), scanner, at: time, into: &output)
                }
            } else {
                try take(try UpbitMessage.read(&scanner), scanner, at: time, into: &output)
            }
            try scanner.expectEnd()
        } catch {
            output.malformed("message", bytes: frame.count)
            core.suspectBooks(in: frame, looksLikeBook: frame.mentions("orderbook"), at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    private mutating func take(
        _ message: UpbitMessage, _ scanner: JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        if let error = message.error { return takeRefusal(error, at: time, into: &output) }
        // The answer to a ping.
        guard let type = message.type, let code = message.code else { return }
        guard let index = core.instrument(scanner.bytes(code)) else {
            output.counters.unexpected &+= 1
            return
        }
        if scanner.equals(type, "orderbook"), core.wants(.book, index) {
            if !core.trackers[index.offset].isFollowing { heard.insert(index) }
            try takeImage(message, index, at: time, into: &output)
        } else if scanner.equals(type, "trade"), core.wants(.trade, index) {
            try say([message], of: index, isBackfill: message.isSnapshot, at: time, into: &output)
        } else if scanner.equals(type, "ticker"), core.wants(.ticker, index) {
            try takeTicker(message, index, at: time, into: &output)
        } else if let name = scanner.string(type), name.hasPrefix("candle."), core.wants(.candle, index) {
            try takeCandle(message, index, String(name.dropFirst(7)), at: time, into: &output)
        } else {
            output.counters.unexpected &+= 1
        }
    }

    /// A refused list says nothing of its codes: when the venue is busy it is sent again.
    ///
    /// Source: Upbit, "WebSocket usage and error guide". None of its names says that the venue is busy.
    private mutating func takeRefusal(
        _ name: String, at time: Timestamp, into output: inout VenueOutput
    ) {
        let name = name.uppercased()
        guard ["TOO_MANY", "LIMIT", "SERVER", "INTERNAL"].contains(where: { name.contains($0) }) else {
            output.counters.refused &+= 1
            return
        }
        refused.refuse(Self.list, at: time, &core.governor)
    }
}
