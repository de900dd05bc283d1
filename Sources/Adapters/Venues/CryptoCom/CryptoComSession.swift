package import Instruments
package import MarketData

/// Crypto.com Exchange as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `book.<instrument>.50` with `SNAPSHOT_AND_UPDATE`; channel `book` is the image, with a
///    number `u`.
/// 2. Channel `book.update` has changes: `pu` is the `u` before it, anything else is a gap and the
///    subscription begins anew. A change without levels says every five seconds that nothing changed.
/// 3. Sizes are absolute; 0 removes. Levels beyond the depth are dropped by us.
///
/// Until 2023, and with `SNAPSHOT`, each message of channel `book` is a whole book: recordings of it replay.
///
/// Source: Crypto.com, "Exchange API v1, book.{instrument_name}.{depth}"; `pu` and `u` not confirmed.
package struct CryptoComSession: VenueSession {
    /// What one book is at.
    struct DepthState: Sendable {
        /// The last change that it contains.
        var sequence: Int64?
        /// Levels a side; 0 until the venue says.
        var depth = 0
        /// Changes that are passed over.
        var stale = StaleRun()
    }

    /// A channel of an instrument.
    struct Topic: Hashable, Sendable {
        var channel: ChannelSet.RawValue
        var index: InstrumentIndex
    }

    var core: SessionCore
    var depths: [DepthState] = []
    /// Subscriptions that were not answered yet, by the number of their message.
    var asked: [Int64: [Topic]] = [:]
    var refused = RefusedTopics()
    var requestID: Int64 = 0

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        depths = core.trackers.map { _ in DepthState() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: route("get-instruments"))))
        let url = core.configuration.webSocketURL + "/exchange/v1/market"
        output.actions.append(.open(connection: 0, url: url))
    }

    func route(_ name: String) -> String { core.configuration.restURL + "/exchange/v1/public/" + name }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        asked.removeAll()
        refused.removeAll()
        for channel in Self.channels {
            let wanted = core.registry.indices.filter { core.wants(channel, $0) }
            ask("subscribe", channel, wanted, into: &output)
        }
        for index in core.registry.indices where core.wants(.book, index) {
            depths[index.offset] = DepthState()
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
        while depths.count < core.trackers.count { depths.append(DepthState()) }
        for change in changes where change.lost.contains(.book) {
            depths[change.index.offset] = DepthState()
        }
        guard core.isConnected else { return }
        for channel in Self.channels {
            let lost = changes.filter { $0.lost.contains(channel) }.map(\.index)
            ask("unsubscribe", channel, lost, into: &output)
            let gained = changes.filter { $0.gained.contains(channel) }.map(\.index)
            ask("subscribe", channel, gained, into: &output)
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: output.actions.append(.ping(connection: 0))
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
        lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        depths[index.offset] = DepthState()
        core.lose(index, reason, detail, at: time, into: &output)
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try read(&scanner, connection, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            suspectBooks(in: frame, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    private mutating func suspectBooks(
        in frame: UnsafeRawBufferPointer, at time: Timestamp, into output: inout VenueOutput
    ) {
        core.suspectBooks(in: frame, looksLikeBook: frame.mentions("book"), at: time, into: &output)
        for tracker in core.trackers where !tracker.isFollowing {
            depths[tracker.index.offset] = DepthState()
        }
    }

    /// The index of a symbol, with the depth state that belongs to it.
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        if depths.count < core.trackers.count { depths.append(DepthState()) }
        return index
    }
}
