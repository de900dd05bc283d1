package import Instruments
package import MarketData

/// OKX v5 as a state machine, and v3 as recordings have it.
///
/// Procedure of a book:
/// 1. Subscribe to `books`: the first message is a `snapshot` of 400 levels a side, `prevSeqId` is -1.
/// 2. An `update` follows if its `prevSeqId` is the last `seqId`. Both are equal in a sign of life without
///   levels, about once a minute; after maintenance `seqId` may be lower than `prevSeqId`.
/// 3. Sizes are absolute, 0 removes. A `checksum` other than 0 is compared (``SentLevelTexts``): since
///   2026-06-23 it is always 0, before 2022-11 there was no `seqId`.
/// 4. A difference means a lost message: unsubscribe and subscribe again.
///
/// v3 (`{"table":"swap/depth_l2_tbt","action":"partial",…}`) has the same books under other names, and only
/// the checksum.
///
/// Single trades (`trades-all`) and candles come on a connection of their own, `/ws/v5/business`: `trades`
/// joins executions, which then are not those that REST tells.
///
/// Sources: OKX API guide v5 and v3, not confirmed by their pages; a recording of 2022 has the books of v5,
/// tardis-node takes `side` for the taker's, too.
package struct OKXSession: VenueSession {
    var core: SessionCore
    var books = LinkedBooks()
    var unconfirmed = UnconfirmedTopics()
    var business = OKXLine()
    /// Of the 480 messages that subscribe, unsubscribe or log in; the rest is for what is followed anew.
    var budget = OKXSession.fullBudget
    static let fullBudget = ResubscriptionBudget(anHour: 200)
    /// The pairs whose options were asked for.
    var optionFamilies: [String] = []

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        books.grow(to: core.trackers.count)
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        for kind in [OKXKind.spot, .swap, .futures] {
            output.actions.append(.request(listRequest("instType=\(kind.rawValue)")))
        }
        askForOptions(into: &output)
        output.actions.append(
            .open(connection: OKXLine.main, url: core.configuration.webSocketURL + "/ws/v5/public"))
        openBusinessIfWanted(into: &output)
    }

    func openURL(_ path: String) -> String { core.configuration.webSocketURL + path }

    mutating func openBusinessIfWanted(into output: inout VenueOutput) {
        let isWanted = core.registry.indices.contains {
            !core.channels[$0.offset].intersection([.trade, .candle]).isEmpty
        }
        guard isWanted, !business.isAsked else { return }
        business.isAsked = true
        output.actions.append(.open(connection: OKXLine.business, url: openURL("/ws/v5/business")))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        guard connection == OKXLine.main else {
            business.opened(at: time)
            return subscribe(wanted(on: OKXLine.business), into: &output)
        }
        core.connected(at: time)
        budget = OKXSession.fullBudget
        for index in core.registry.indices where core.wants(.book, index) {
            books.forget(index)
            core.trackers[index.offset].phase = .waiting(since: time)
            core.trackers[index.offset].attempts = 1
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
        subscribe(wanted(on: OKXLine.main), into: &output)
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        unconfirmed.settle { OKXSession.connection(of: $0.channel) == connection }
        guard connection == OKXLine.main else { return business.closed() }
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        for (connection, watch) in [
            (OKXLine.main, core.watch(at: time)), (OKXLine.business, business.watch(at: time, core.silence)),
        ] {
            switch watch {
            case .nothing: break
            case .ping: output.actions.append(.send(connection: connection, text: "ping"))
            case .reconnect:
                output.actions.append(.reconnect(connection: connection, reason: "no answer to ping"))
            }
        }
        if core.isConnected { askForImages(at: time, into: &output) }
        subscribe(unconfirmed.due(at: time), into: &output)
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        books.lose(instrument, reason, detail, in: &core, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    /// Asks for all images that are due with two messages: both count against 480 an hour.
    func send(_ operation: String, _ topics: [UnconfirmedTopics.Topic], into output: inout VenueOutput) {
        let limit = core.configuration.description.topicsPerMessage
        for connection in [OKXLine.main, OKXLine.business] {
            let own = topics.filter { OKXSession.connection(of: $0.channel) == connection }
            for start in stride(from: 0, to: own.count, by: limit) {
                let part = own[start..<min(start + limit, own.count)]
                output.actions.append(
                    .send(
                        connection: connection, text: ArgMessage.request(operation, part.map(argument))))
            }
        }
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        guard budget.hasRoom(at: time) else { return }
        var due: [UnconfirmedTopics.Topic] = []
        while let index = core.takeDue(at: time) {
            due.append(UnconfirmedTopics.Topic(index: index, channel: .book))
        }
        guard !due.isEmpty else { return }
        budget.spend()
        send("unsubscribe", due, into: &output)
        subscribe(due, into: &output)
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        if connection == OKXLine.business, business.isUp {
            business.received(at: time)
        } else {
            core.received(at: time)
        }
        guard !frame.elementsEqual("pong".utf8) else { return }
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try readMessage(&scanner, connection: connection, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            let isBook = frame.mentions("\"books") || frame.mentions("/depth")
            core.suspectBooks(in: frame, looksLikeBook: isBook, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// The index of a symbol, with the link that belongs to it.
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        books.grow(to: core.trackers.count)
        return index
    }
}
