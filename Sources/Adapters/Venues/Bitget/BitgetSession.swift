package import Instruments
package import MarketData

/// Bitget v2 as a state machine, and v1 as recordings have it.
///
/// Procedure of a book:
/// 1. Subscribe to `books`: the first message is the `snapshot`.
/// 2. An `update` follows if its `pseq` is the last `seq`. Sizes are absolute, 0 removes.
/// 3. A `checksum` other than 0 is compared (``SentLevelTexts``): v1 has it in each message and no numbers,
///   v2 has given it up.
/// 4. A difference means a lost message: unsubscribe and subscribe again.
///
/// `books1`, `books5` and `books15` are whole images each time.
///
/// Sources: Bitget.Net #89, 2026-06, for `pseq` and the end of the checksum, which no page tells; a recording
/// of 2022 for v1. Not confirmed: "Depth Channel" of v2.
package struct BitgetSession: VenueSession {
    /// Messages that are sent at once at the most: the venue closes a connection that sends more than ten a
    /// second.
    static let messagesAtOnce = 8
    /// Between two pings, whether the venue speaks or not: it closes a connection on which it hears none for
    /// two minutes.
    ///
    /// Nanoseconds.
    static let pingEvery: Int64 = 30_000_000_000

    var core: SessionCore
    var books = LinkedBooks()
    var unconfirmed = UnconfirmedTopics()
    /// Of the 240 messages that subscribe or unsubscribe; the rest is for what is followed anew.
    var budget = BitgetSession.fullBudget
    static let fullBudget = ResubscriptionBudget(anHour: 90)
    /// Of trades without an id, by instrument.
    var ordinals: [TradeOrdinals] = []
    private var pingedAt = Timestamp.zero

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        grow()
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    mutating func grow() {
        books.grow(to: core.trackers.count)
        while ordinals.count < core.trackers.count { ordinals.append(TradeOrdinals()) }
    }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let list = core.configuration.restURL + "/api/v2/spot" + core.configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        for product in BitgetSymbol.futures {
            let url = core.configuration.restURL + "/api/v2/mix/market/contracts?productType=\(product)"
            output.actions.append(.request(VenueRequest(purpose: .instruments, url: url)))
        }
        output.actions.append(
            .open(connection: 0, url: core.configuration.webSocketURL + "/v2/ws/public"))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        pingedAt = time
        budget = BitgetSession.fullBudget
        for index in core.registry.indices where core.wants(.book, index) {
            books.forget(index)
            core.trackers[index.offset].phase = .waiting(since: time)
            core.trackers[index.offset].attempts = 1
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
        let wanted = core.registry.indices.map { ($0, Self.wire(core.channels[$0.offset])) }
        subscribe(topics(wanted), at: time, into: &output)
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        unconfirmed.settle { _ in true }
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing:
            if core.isConnected, time.nanoseconds(since: pingedAt) > Self.pingEvery {
                ping(at: time, into: &output)
            }
        case .ping: ping(at: time, into: &output)
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        askForImages(at: time, into: &output)
        subscribe(unconfirmed.due(at: time), at: time, into: &output)
    }

    private mutating func ping(at time: Timestamp, into output: inout VenueOutput) {
        pingedAt = time
        output.actions.append(.send(connection: 0, text: "ping"))
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        books.lose(instrument, reason, detail, in: &core, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        guard !frame.elementsEqual("pong".utf8) else { return }
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try readMessage(&scanner, connection: connection, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            if frame.mentions("\"books") { suspectBooks(in: frame, at: time, into: &output) }
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// Loses the books that an unreadable message may have been about: a symbol of ours is in two places of
    /// it.
    private mutating func suspectBooks(
        in frame: UnsafeRawBufferPointer, at time: Timestamp, into output: inout VenueOutput
    ) {
        let followed = core.registry.indices.filter { core.trackers[$0.offset].isFollowing }
        let named = followed.filter { index in
            let symbol = BitgetSymbol(core.registry[index].symbol)
            return frame.quotes(symbol.id) && frame.quotes(symbol.product)
        }
        for index in named.isEmpty ? followed : named {
            books.lose(
                index, .malformedMessage, "\(frame.count) bytes could not be read", in: &core, at: time,
                into: &output)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a text occurs between quotes; for the rare frame that could not be read.
    fileprivate func quotes(_ text: String) -> Bool {
        let wanted = Array("\"\(text)\"".utf8)
        guard count >= wanted.count else { return false }
        for start in 0...(count - wanted.count) where self[start] == 0x22 {
            if self[start..<start + wanted.count].elementsEqual(wanted) { return true }
        }
        return false
    }
}
