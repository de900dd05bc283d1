package import Instruments
package import MarketData

/// Hyperliquid as a state machine.
///
/// Procedure of a book: each message of `l2Book` is a whole image of the twenty best levels a side, of one
/// block of the chain. There is neither sequence nor checksum; whatever is wrong is so until the next image,
/// at the latest half a second later where anything happens, and an audit compares with `l2Book` by POST.
///
/// Source: Hyperliquid, "API, WebSocket, Subscriptions"; not confirmed.
package struct HyperliquidSession: VenueSession {
    var core: SessionCore
    var refused = RefusedTopics()

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) { core = SessionCore(configuration) }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        for type in ["spotMeta", "meta"] {
            let request = VenueRequest(
                purpose: .instruments, url: infoURL, body: "{\"type\":\"\(type)\"}")
            output.actions.append(.request(request))
        }
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL + "/ws"))
    }

    var infoURL: String { core.configuration.restURL + core.configuration.description.instrumentList }

    static let channels: [(name: String, channel: ChannelSet)] = [
        ("l2Book", .book), ("trades", .trade), ("bbo", .ticker), ("candle", .candle),
        ("activeAssetCtx", valuing),
    ]

    func ask(
        _ method: String, _ channel: ChannelSet, _ index: InstrumentIndex, into output: inout VenueOutput
    ) {
        let coin = core.registry[index].symbol
        if channel == Self.valuing, Hyperliquid.isSpot(coin) { return }
        guard let name = Self.channels.first(where: { $0.channel == channel })?.name else { return }
        let interval = channel == .candle ? ",\"interval\":\"1m\"" : ""
        let text =
            "{\"method\":\"\(method)\",\"subscription\":{\"type\":\"\(name)\","
            + "\"coin\":\"\(coin)\"\(interval)}}"
        output.actions.append(.send(connection: 0, text: text))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        refused.removeAll()
        for (_, channel) in Self.channels {
            for index in core.registry.indices where core.wantsAny(of: channel, index) {
                ask("subscribe", channel, index, into: &output)
            }
        }
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
        guard core.isConnected else { return }
        for (_, channel) in Self.channels {
            let turns = core.turns(changes, of: channel)
            for index in turns.lost { ask("unsubscribe", channel, index, into: &output) }
            for index in turns.gained { ask("subscribe", channel, index, into: &output) }
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: output.actions.append(.send(connection: 0, text: "{\"method\":\"ping\"}"))
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

    private mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            ask("unsubscribe", .book, index, into: &output)
            ask("subscribe", .book, index, into: &output)
        }
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try read(&scanner, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            core.suspectBooks(in: frame, looksLikeBook: frame.mentions("l2Book"), at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// `{"channel":…,"data":…}`.
    private mutating func read(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var channel: JSONText?
        var data: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "channel") {
                channel = try scanner.text()
            } else if scanner.equals(key, "data") {
                data = scanner.index
                try scanner.skip()
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        // A pong has none.
        guard let channel, let data else { return }
        scanner.index = data
        if scanner.equals(channel, "l2Book") {
            try readBook(&scanner, at: time, into: &output)
        } else if scanner.equals(channel, "trades") {
            try readTrades(&scanner, at: time, into: &output)
        } else if scanner.equals(channel, "bbo") {
            try readQuote(&scanner, at: time, into: &output)
        } else if scanner.equals(channel, "candle") {
            try readCandles(&scanner, at: time, into: &output)
        } else if scanner.equals(channel, "activeAssetCtx") {
            try readState(&scanner, at: time, into: &output)
        } else if scanner.equals(channel, "error"), try scanner.peek() == 0x22 {
            takeError(scanner.string(try scanner.text()) ?? "", at: time, into: &output)
        } else if !scanner.equals(channel, "subscriptionResponse") {
            output.counters.unexpected &+= 1
        }
    }
}
