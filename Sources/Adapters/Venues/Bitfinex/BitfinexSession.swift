package import Instruments
package import MarketData

/// Bitfinex's public WebSocket and REST, version 2, as a state machine.
///
/// Procedure of a book:
/// 1. Ask for numbered messages and checksums (`conf`), subscribe to `book` with precision P0 and a length.
///    The answer `subscribed` says the channel's number, by which alone its messages are known.
/// 2. The first message of the channel is the image: rows (price, count, amount), asks with an amount below
///    zero.
/// 3. Each further one is one row: a count above 0 sets the level, a count of 0 removes it, and the sign of
///    the amount says from which side. What falls out of the length is removed by the venue.
/// 4. A number that is not one more than the one before means that a message of any of the connection's
///    channels is lost: all its books are subscribed again.
/// 5. `cs` is the CRC-32 of the 25 best levels a side (``BitfinexChecksum``); a difference costs that book.
///
/// 25 channels fit on a connection, so there are as many connections as it takes.
///
/// Sources: a recording of 2021, cryptofeed and gocryptotrader, which read books, numbers and checksums so.
package struct BitfinexSession: VenueSession {
    /// Lengths that can be subscribed to.
    static let depths = [25, 100, 250]

    var core: SessionCore
    /// By the number of the connection.
    var links: [BitfinexLink] = []
    /// By instrument.
    var places: [BitfinexPlaces] = []
    /// Subscriptions that were refused for now, and when they are asked for again.
    var retries: [(topic: BitfinexTopic, due: Timestamp)] = []
    var attempts: [BitfinexTopic: Int] = [:]

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        places = core.trackers.map { _ in BitfinexPlaces() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    var subscribedDepth: Int { Self.depths.first { $0 >= core.configuration.bookDepth } ?? 250 }

    // MARK: - Connections

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let list = core.configuration.restURL + "/v2/conf" + core.configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        // One is open even while nobody wants anything: what is wanted later is asked for on it.
        addLink(into: &output)
        for index in core.registry.indices {
            for kind in BitfinexKind.allCases where core.wants(kind.channel, index) {
                settle(BitfinexTopic(index: index, kind: kind), into: &output)
            }
        }
    }

    private mutating func addLink(into output: inout VenueOutput) {
        output.actions.append(
            .open(connection: links.count, url: core.configuration.webSocketURL + "/ws/2"))
        links.append(BitfinexLink())
    }

    /// Gives a topic its place, on a new connection where the others are full.
    private mutating func settle(_ topic: BitfinexTopic, into output: inout VenueOutput) {
        if !links.contains(where: { $0.load < BitfinexLink.capacity }) { addLink(into: &output) }
        let connection = links.firstIndex { $0.load < BitfinexLink.capacity } ?? links.count - 1
        links[connection].load += 1
        places[topic.index.offset][topic.kind] = BitfinexPlace(connection: connection)
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        guard let link = link(connection) else { return }
        links[link].open(at: time)
        core.isConnected = true
        let flags = BitfinexLink.sequenceFlag + BitfinexLink.checksumFlag
        output.actions.append(
            .send(connection: connection, text: "{\"event\":\"conf\",\"flags\":\(flags)}"))
        for index in core.registry.indices {
            for kind in BitfinexKind.allCases where places[index.offset][kind]?.connection == connection {
                places[index.offset][kind]?.channelID = nil
                subscribe(BitfinexTopic(index: index, kind: kind), into: &output)
                if kind == .book { expectImage(index, at: time, into: &output) }
            }
        }
    }

    private mutating func expectImage(
        _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        core.trackers[index.offset].phase = .waiting(since: time)
        core.trackers[index.offset].attempts = 1
        core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        guard let link = link(connection) else { return }
        links[link].isUp = false
        links[link].channels = [:]
        core.isConnected = links.contains { $0.isUp }
        for index in core.registry.indices where places[index.offset][.book]?.connection == connection {
            core.trackers[index.offset].phase = .idle
            let state: BookState = core.trackers[index.offset].state == .syncing ? .syncing : .stale
            core.trackers[index.offset].declare(state, .disconnected, at: time, into: &output)
        }
    }

    /// The place of a connection's state, made if it is new; `nil` for a number that no connection has.
    mutating func link(_ connection: Int) -> Int? {
        guard (0..<65_536).contains(connection) else { return nil }
        while links.count <= connection { links.append(BitfinexLink()) }
        return connection
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        growPlaces()
        for change in changes {
            for kind in BitfinexKind.allCases {
                let topic = BitfinexTopic(index: change.index, kind: kind)
                if change.lost.contains(kind.channel) { leave(topic, into: &output) }
                guard change.gained.contains(kind.channel) else { continue }
                settle(topic, into: &output)
                subscribe(topic, into: &output)
            }
        }
    }

    mutating func growPlaces() {
        while places.count < core.trackers.count { places.append(BitfinexPlaces()) }
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        for connection in links.indices {
            switch links[connection].watch(at: time, core.silence) {
            case .nothing: break
            case .ping:
                output.actions.append(
                    .send(connection: connection, text: "{\"event\":\"ping\",\"cid\":1}"))
            case .reconnect:
                output.actions.append(.reconnect(connection: connection, reason: "no answer to ping"))
            }
        }
        askAgain(at: time, into: &output)
        if core.isConnected { askForImages(at: time, into: &output) }
    }
}
