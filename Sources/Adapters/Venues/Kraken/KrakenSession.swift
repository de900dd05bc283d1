package import Instruments
package import MarketData

/// Kraken spot, WebSocket v1 (arrays) and v2 (objects), as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `book` with a depth; the first message is the snapshot.
/// 2. Apply each update whole: sizes are absolute, 0 removes. Levels beyond the subscribed depth are dropped
///    by us, the venue does not say so.
/// 3. After each update compare the CRC-32 of the ten best levels (``KrakenChecksum``). v2 gives one with the
///    snapshot too; v1 gives it in the last dictionary of a message.
/// 4. A difference means a lost or wrong update: unsubscribe and subscribe again.
///
/// The checksum covers ten levels. A lost update of a deeper one shows only when that level rises to the top,
/// or in an audit against `GET /0/public/Depth`.
///
/// Source: Kraken API documentation, "Book (Level 2)" of WebSocket v1 and v2, read 2026-11.
package struct KrakenSession: VenueSession {
    /// What belongs to one book besides its levels.
    struct BookExtras: Sendable {
        /// Levels a side; 0 until the venue or the first snapshot tells.
        var depth = 0
        var checksum = KrakenChecksum()
        var tradeOrdinals = TradeOrdinals()
    }

    /// Depths that can be subscribed to.
    static let depths = [10, 25, 100, 500, 1_000]

    var core: SessionCore
    var extras: [BookExtras] = []
    var places: [(price: Int, size: Int)] = []

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration, .verbatim)
        extras = core.trackers.map { _ in BookExtras() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    var isV1: Bool { core.configuration.krakenInterface == .v1 }

    var subscribedDepth: Int {
        KrakenSession.depths.first { $0 >= core.configuration.bookDepth } ?? 1_000
    }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        output.actions.append(
            .request(
                VenueRequest(purpose: .instruments, url: core.configuration.restURL + "/0/public/AssetPairs"))
        )
        let path = isV1 ? "" : "/v2"
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL + path))
    }

    /// The venue's names of the channels.
    private static let channelNames: [(name: String, channel: ChannelSet)] = [
        ("book", .book), ("ticker", .ticker), ("trade", .trade),
    ]

    private func ask(
        _ operation: String, _ channel: String, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = instruments[start..<min(start + limit, instruments.count)]
            output.actions.append(
                .send(connection: 0, text: text(operation, channel, part.map { core.registry[$0].symbol })))
        }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        while extras.count < core.trackers.count { extras.append(BookExtras()) }
        for change in changes {
            if change.lost.contains(.book) { extras[change.index.offset].checksum.removeAll() }
            if change.gained.contains(.book) { extras[change.index.offset].depth = subscribedDepth }
        }
        guard core.isConnected else { return }
        for (name, channel) in Self.channelNames {
            let lost = changes.filter { $0.lost.contains(channel) }.map(\.index)
            ask("unsubscribe", name, lost, into: &output)
            let gained = changes.filter { $0.gained.contains(channel) }.map(\.index)
            ask("subscribe", name, gained, into: &output)
        }
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        for (name, channel) in Self.channelNames {
            let wanted = core.registry.indices.filter { core.wants(channel, $0) }
            ask("subscribe", name, wanted, into: &output)
            guard channel == .book else { continue }
            for index in wanted {
                extras[index.offset].depth = subscribedDepth
                core.trackers[index.offset].phase = .waiting(since: time)
                core.trackers[index.offset].attempts = 1
                core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
            }
        }
    }

    func text(_ operation: String, _ channel: String, _ symbols: [String]) -> String {
        isV1
            ? KrakenText.v1(operation, channel, symbols, depth: subscribedDepth)
            : KrakenText.v2(operation, channel, symbols, depth: subscribedDepth)
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping:
            output.actions.append(
                .send(connection: 0, text: isV1 ? "{\"event\":\"ping\"}" : "{\"method\":\"ping\"}"))
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        if core.isConnected { askForImages(at: time, into: &output) }
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
        extras[index.offset].checksum.removeAll()
        core.lose(index, reason, detail, at: time, into: &output)
    }

    private mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            let symbol = core.registry[index].symbol
            output.actions.append(.send(connection: 0, text: text("unsubscribe", "book", [symbol])))
            output.actions.append(.send(connection: 0, text: text("subscribe", "book", [symbol])))
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
            if try scanner.peek() == 0x5B {
                try readV1(&scanner, at: time, into: &output)
            } else {
                try readObject(&scanner, at: time, into: &output)
            }
        } catch {
            output.malformed("message", bytes: frame.count)
            let isBook = frame.mentions("book") || frame.first == 0x5B
            core.suspectBooks(in: frame, looksLikeBook: isBook, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// The index of a symbol, with the extras that belong to it.
    @inline(__always)
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        if extras.count < core.trackers.count { extras.append(BookExtras()) }
        return index
    }

    /// v2 messages and the events of v1.
    private mutating func readObject(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var channel = JSONText(start: 0, count: 0, hasEscapes: false)
        var type = channel
        var data: Int?
        var result: Int?
        var isRefused = false
        var depth: (pair: JSONText, depth: Int)?
        var pair: JSONText?
        var channelName: JSONText?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "channel") {
                channel = try scanner.text()
            } else if scanner.equals(key, "type") {
                type = try scanner.text()
            } else if scanner.equals(key, "data") {
                // Both names come first, so that the body is read where it lies.
                if channel.count > 0, type.count > 0 {
                    return try readV2Data(&scanner, channel, type, at: time, into: &output)
                }
                data = scanner.index
                try scanner.skip()
            } else if scanner.equals(key, "result") {
                result = scanner.index
                try scanner.skip()
            } else if scanner.equals(key, "success") {
                isRefused = try !scanner.bool()
            } else if scanner.equals(key, "errorMessage") {
                isRefused = true
                try scanner.skip()
            } else if scanner.equals(key, "pair"), try scanner.peek() == 0x22 {
                pair = try scanner.text()
            } else if scanner.equals(key, "channelName"), try scanner.peek() == 0x22 {
                channelName = try scanner.text()
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        if isRefused { output.counters.refused &+= 1 }
        if let pair, let channelName, let levels = KrakenText.depth(ofChannel: scanner.bytes(channelName)) {
            depth = (pair, levels)
        }
        if let depth, let index = instrument(scanner.bytes(depth.pair)) {
            extras[index.offset].depth = depth.depth
        }
        if let result, !isRefused {
            scanner.index = result
            try readAcknowledgement(&scanner)
        }
        guard let data else { return }
        scanner.index = data
        try readV2Data(&scanner, channel, type, at: time, into: &output)
    }

    /// What a v2 channel says; the scanner stands on `data`.
    @inline(__always)
    private mutating func readV2Data(
        _ scanner: inout JSONScanner, _ channel: JSONText, _ type: JSONText, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let isSnapshot = scanner.equals(type, "snapshot")
        if scanner.equals(channel, "book") {
            try readV2Book(&scanner, isSnapshot: isSnapshot, at: time, into: &output)
        } else if scanner.equals(channel, "trade") {
            try readV2Trades(&scanner, isBackfill: isSnapshot, at: time, into: &output)
        } else if scanner.equals(channel, "ticker") {
            try readV2Tickers(&scanner, at: time, into: &output)
        } else {
            try scanner.skip()
        }
    }

    /// `result` of a v2 subscription: the depth that was granted.
    private mutating func readAcknowledgement(_ scanner: inout JSONScanner) throws(ScanError) {
        guard try scanner.peek() == 0x7B else { return }
        var symbol: JSONText?
        var depth: Int64?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol"), try scanner.peek() == 0x22 {
                symbol = try scanner.text()
            } else if scanner.equals(key, "depth") {
                depth = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        guard let symbol, let depth, depth > 0, let index = instrument(scanner.bytes(symbol)) else { return }
        extras[index.offset].depth = Int(depth)
    }
}
