package import Instruments
package import MarketData

/// BitMEX's public WebSocket and REST, as a state machine.
///
/// Procedure of a book (`orderBookL2`, `orderBookL2_25`):
/// 1. Subscribe. "You may receive other messages before the partial comes through. In that case, drop any
///    messages received until you have received the partial."
/// 2. `partial` is the image: rows (symbol, id, side, size, price).
/// 3. `insert` adds an id that is not there, `update` changes one that is, `delete` removes one that is. The
///    key is (symbol, id, side).
/// 4. There is no sequence and no checksum. What contradicts the book — an unknown id, a known one inserted
///    again, a price that another id has, a book crossed for two messages — makes us drop it and subscribe
///    again. What the messages cannot reveal, an audit against `GET /api/v1/orderBook/L2` does.
///
/// Until 2023-07-10 updates and deletes carried no price and it had to come from the id's earlier row; since
/// then every row has a price and the id is arbitrary. Both are read; a price is never derived from an id.
///
/// Source: BitMEX, "WebSocket API" and its "orderBookL2" notes, and the change announcements of 2023-06-26
/// and 2023-07-10, read 2026-11.
package struct BitMEXSession: VenueSession {
    var core: SessionCore
    /// Level ids by instrument.
    var tables: [BitMEXLevelTable] = []
    var rows: [BitMEXRow] = []
    /// The book table that is subscribed: a partial of the other one is taken as well.
    private let bookTable: String

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        bookTable = configuration.bookDepth <= 25 ? "orderBookL2_25" : "orderBookL2"
        tables = core.trackers.map { _ in BitMEXLevelTable() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        output.actions.append(
            .request(
                VenueRequest(
                    purpose: .instruments, url: core.configuration.restURL + "/api/v1/instrument/active")))
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL + "/realtime"))
    }

    /// The venue's names of the channels.
    private var channelTables: [(name: String, channels: ChannelSet)] {
        [
            (bookTable, .book), ("quote", .ticker), ("trade", .trade), ("instrument", BitMEXSession.valuing),
            ("liquidation", .liquidation),
        ]
    }

    private func ask(
        _ operation: String, _ table: String, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = instruments[start..<min(start + limit, instruments.count)]
            let topics = part.map { "\(table):\(core.registry[$0].symbol)" }
            output.actions.append(.send(connection: 0, text: BitMEXText.operation(operation, topics)))
        }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        growTables()
        for change in changes where change.lost.contains(.book) {
            tables[change.index.offset].removeAll(reserving: 0)
        }
        guard core.isConnected else { return }
        for (table, channels) in channelTables {
            let turns = core.turns(changes, of: channels)
            ask("unsubscribe", table, turns.lost, into: &output)
            ask("subscribe", table, turns.gained, into: &output)
        }
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        for (table, channel) in channelTables {
            let wanted = core.registry.indices.filter { core.wantsAny(of: channel, $0) }
            ask("subscribe", table, wanted, into: &output)
            guard channel == .book else { continue }
            for index in wanted {
                core.trackers[index.offset].phase = .waiting(since: time)
                core.trackers[index.offset].attempts = 1
                core.trackers[index.offset].declare(
                    .syncing, .snapshotPending, at: time, into: &output)
            }
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        // The literal text is answered by the text "pong".
        case .ping: output.actions.append(.send(connection: 0, text: "ping"))
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

    private mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            let topic = "\(bookTable):\(core.registry[index].symbol)"
            output.actions.append(.send(connection: 0, text: BitMEXText.operation("unsubscribe", [topic])))
            output.actions.append(.send(connection: 0, text: BitMEXText.operation("subscribe", [topic])))
        }
    }

    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        tables[index.offset].removeAll(reserving: 0)
        core.lose(index, reason, detail, at: time, into: &output)
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        if frame.count == 4, frame.elementsEqual("pong".utf8) { return }
        do throws(ScanError) {
            try readMessage(frame, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            // The message may have named a new instrument before it broke off.
            growTables()
            let before = output.counters.resyncs
            core.suspectBooks(in: frame, looksLikeBook: frame.mentions("orderBook"), at: time, into: &output)
            if output.counters.resyncs != before { clearLostTables() }
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// Gives every instrument its table.
    @inline(__always)
    mutating func growTables() {
        while tables.count < core.trackers.count { tables.append(BitMEXLevelTable()) }
    }

    private mutating func clearLostTables() {
        for tracker in core.trackers where !tracker.isFollowing {
            tables[tracker.index.offset].removeAll(reserving: 0)
        }
    }

    private mutating func readMessage(
        _ frame: UnsafeRawBufferPointer, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard var scanner = JSONScanner(frame) else { throw .malformed }
        var table = JSONText(start: 0, count: 0, hasEscapes: false)
        var action = table
        var data: Int?
        var isError = false
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "table") {
                table = try scanner.text()
            } else if scanner.equals(key, "action") {
                action = try scanner.text()
            } else if scanner.equals(key, "data") {
                // Both names come first, so that the rows are read where they lie.
                if table.count > 0, action.count > 0 {
                    try readData(&scanner, table, action, at: time, into: &output)
                } else {
                    data = scanner.index
                    try scanner.skip()
                }
            } else {
                if scanner.equals(key, "error") { isError = true }
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        if isError { output.counters.refused &+= 1 }
        guard let data, table.count > 0 else { return }
        scanner.index = data
        try readData(&scanner, table, action, at: time, into: &output)
    }

    @inline(__always)
    private mutating func readData(
        _ scanner: inout JSONScanner, _ table: JSONText, _ action: JSONText, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let isPartial = scanner.equals(action, "partial")
        if scanner.equals(table, "orderBookL2") || scanner.equals(table, "orderBookL2_25") {
            guard let kind = BitMEXAction(scanner, action) else { throw .malformed }
            try readBook(&scanner, kind, at: time, into: &output)
        } else if scanner.equals(table, "trade") {
            try readTrades(&scanner, isBackfill: isPartial, at: time, into: &output)
        } else if scanner.equals(table, "quote") {
            try readQuotes(&scanner, at: time, into: &output)
        } else if scanner.equals(table, "instrument") {
            let rows = scanner.index
            if isPartial || scanner.equals(action, "insert") { try readInstruments(&scanner, into: &output) }
            scanner.index = rows
            try readStates(&scanner, at: time, into: &output)
        } else if scanner.equals(table, "liquidation"), scanner.equals(action, "insert") {
            try readLiquidations(&scanner, at: time, into: &output)
        } else {
            try scanner.skip()
        }
    }
}
