package import Instruments
package import MarketData

/// HTX spot as a state machine.
///
/// Procedure of a book (`book` = `mbp`), on a connection to `/feed` of its own:
/// 1. Subscribe to `market.<symbol>.mbp.150` and keep what comes.
/// 2. Request the same channel on the same connection: the answer is the image, with a `seqNum`.
/// 3. Drop kept changes up to that number. The first other one has it as its `prevSeqNum`; where it does not,
///    request again.
/// 4. From then on `prevSeqNum` is the last `seqNum`; anything else is a gap, and step 2 begins anew.
/// 5. Sizes are absolute; 0 removes.
///
/// With `book` = `depth` each message of `market.<symbol>.depth.step0` is a whole book of 150 levels a side.
/// Recordings of either replay.
///
/// Source: HTX, "Spot API reference", "Market depth MBP"; not confirmed.
package struct HuobiSession: VenueSession {
    /// What the changes of one book are at.
    struct DepthState: Sendable {
        /// Whether its changes come, without which an image would stand still.
        var isSubscribed = false
        /// The last change that the book contains.
        var sequence: Int64 = -1
        /// Changes that are passed over.
        var stale = StaleRun()
        /// Changes that wait for the image.
        var pending: [HuobiBook] = []
    }

    /// Changes of one book that may wait for its image: ten minutes at ten a second.
    static let pendingLimit = 6_000
    /// Levels a side; other numbers exist for few instruments only.
    static let levels = 150

    var core: SessionCore
    var depths: [DepthState] = []
    var refused = RefusedTopics()
    private var tape = LinkWatch()

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        depths = core.trackers.map { _ in DepthState() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    /// Whether books come as changes, from an address of their own.
    var followsChanges: Bool { core.configuration[Huobi.bookOption] != "depth" }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let configuration = core.configuration
        let list = configuration.restURL + configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        let paths = followsChanges ? ["/feed", "/ws"] : ["/ws"]
        for (connection, path) in paths.enumerated() {
            output.actions.append(.open(connection: connection, url: configuration.webSocketURL + path))
        }
    }

    /// Whether a connection is up.
    func isUp(_ connection: Int) -> Bool { connection == 0 ? core.isConnected : tape.isConnected }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        if connection == 0 { core.connected(at: time) } else { tape.connected(at: time) }
        for channel in Self.channels where self.connection(of: channel) == connection {
            for index in core.registry.indices where core.wants(channel, index) {
                ask("sub", channel, index, into: &output)
            }
        }
        guard connection == 0 else { return }
        for index in core.registry.indices where core.wants(.book, index) {
            expectImage(index, at: time)
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
        askForImages(at: time, into: &output)
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
        for channel in Self.channels where isUp(connection(of: channel)) {
            for change in changes where change.lost.contains(channel) {
                ask("unsub", channel, change.index, into: &output)
            }
            for change in changes where change.gained.contains(channel) {
                ask("sub", channel, change.index, into: &output)
                if channel == .book { expectImage(change.index, at: time) }
            }
        }
        if core.isConnected { askForImages(at: time, into: &output) }
    }

    /// Images of changes are asked for within the limit; where each message is one, the first will come.
    private mutating func expectImage(_ index: InstrumentIndex, at time: Timestamp) {
        depths[index.offset] = DepthState()
        core.trackers[index.offset].attempts = followsChanges ? 0 : 1
        core.trackers[index.offset].phase = followsChanges ? .scheduled(at: time) : .waiting(since: time)
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        guard connection == 0 else { return tape.disconnected() }
        core.disconnected(at: time, into: &output)
        for offset in depths.indices { depths[offset] = DepthState() }
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        act(on: core.watch(at: time), connection: 0, into: &output)
        act(on: tape.watch(at: time, core.silence), connection: 1, into: &output)
        askAgain(at: time, into: &output)
        if core.isConnected { askForImages(at: time, into: &output) }
    }

    private func act(on watch: SessionCore.Watch, connection: Int, into output: inout VenueOutput) {
        switch watch {
        case .nothing: break
        case .ping: output.actions.append(.ping(connection: connection))
        case .reconnect:
            output.actions.append(.reconnect(connection: connection, reason: "no answer to ping"))
        }
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
        depths[index.offset] = DepthState(isSubscribed: depths[index.offset].isSubscribed)
        core.lose(index, reason, detail, at: time, into: &output)
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        if connection == 1, followsChanges { tape.received(at: time) } else { core.received(at: time) }
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try read(&scanner, connection, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            suspectBooks(in: frame, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// The index of a symbol, with the depth state that belongs to it.
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        if depths.count < core.trackers.count { depths.append(DepthState()) }
        return index
    }
}
