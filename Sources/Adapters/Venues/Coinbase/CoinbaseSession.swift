package import Instruments
package import MarketData

/// Coinbase Advanced Trade and Coinbase Exchange, as a state machine that tells them apart by the form of a
/// message: the former's have a `channel`, the latter's a `type`.
///
/// Procedure of a book:
/// 1. Subscribe to `level2` (Exchange: `level2_batch`); the first message of a product is its snapshot, in
///    Advanced Trade a frame of several megabytes for a busy one.
/// 2. Apply each update: sizes are absolute, 0 removes.
/// 3. Advanced Trade: `sequence_num` counts the messages of a connection, of all its channels and products.
///    A number that is not the next says that a message is missing, of any of its products: all its books
///    are lost. A number that comes again is the same message again. The Exchange numbers nothing of its
///    books, so that only an audit finds what was lost.
/// 4. A lost book is unsubscribed and subscribed again.
///
/// A book belongs to the connection that its snapshot came on; what another says of it is left out.
///
/// Sources: Coinbase Developer Documentation, "Advanced Trade WebSocket channels"; a recording of 2021 for
/// the Exchange. That `sequence_num` counts a connection's messages is not said there: others count it so.
package struct CoinbaseSession: VenueSession {
    var core: SessionCore
    /// The connection of each book; -1 before its first snapshot.
    var homes: [Int] = []
    /// The number of the last message, by connection.
    var numbers: [Int: Int64] = [:]
    var retry = SubscriptionRetry()
    var images = OwedImages()

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        homes = core.trackers.map { _ in -1 }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    private var interface: CoinbaseInterface { core.configuration.coinbaseInterface }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let list = core.configuration.coinbaseRoute + core.configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        output.actions.append(.open(connection: 0, url: core.configuration.coinbaseWebSocketURL))
    }

    package mutating func recorded(connection: Int, url: String) { numbers[connection] = nil }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        numbers[connection] = nil
        retry.forget()
        images.removeAll()
        // Without it channels close after a minute in which nothing happens.
        if interface == .advanced {
            let text = "{\"type\":\"subscribe\",\"channel\":\"heartbeats\"}"
            output.actions.append(.send(connection: connection, text: text))
        }
        for (name, channel) in interface.channels {
            let wanted = core.registry.indices.filter { core.wants(channel, $0) }
            ask("subscribe", name, wanted, into: &output)
            guard channel == .book else { continue }
            for index in wanted {
                core.trackers[index.offset].phase = .waiting(since: time)
                core.trackers[index.offset].attempts = 1
                core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
            }
        }
    }

    private mutating func ask(
        _ operation: String, _ channel: String, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = instruments[start..<min(start + limit, instruments.count)]
            let symbols = part.map { core.registry[$0].symbol }
            if operation == "subscribe", channel == interface.channels[0].name {
                for index in part { images.ask(index) }
            }
            output.actions.append(.send(connection: 0, text: interface.text(operation, channel, symbols)))
        }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        guard core.isConnected else { return }
        for (name, channel) in interface.channels {
            ask("unsubscribe", name, changes.filter { $0.lost.contains(channel) }.map(\.index), into: &output)
            ask("subscribe", name, changes.filter { $0.gained.contains(channel) }.map(\.index), into: &output)
        }
    }

    mutating func grow() {
        while homes.count < core.trackers.count { homes.append(-1) }
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
        if retry.takeDue(at: time) { askAgain(into: &output) }
        askForImages(at: time, into: &output)
    }

    /// A refusal does not say of what; what was granted is granted again.
    private mutating func askAgain(into output: inout VenueOutput) {
        for (name, channel) in interface.channels where channel != .book {
            ask("subscribe", name, core.registry.indices.filter { core.wants(channel, $0) }, into: &output)
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
            ask("unsubscribe", interface.channels[0].name, [index], into: &output)
            ask("subscribe", interface.channels[0].name, [index], into: &output)
        }
    }
}
