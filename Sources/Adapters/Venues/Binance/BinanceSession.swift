package import Instruments
package import MarketData

/// Binance spot, Binance.US and Binance's futures of both margins, as a state machine.
///
/// Procedure of a book, spot:
/// 1. Open the stream `<symbol>@depth@100ms` and buffer its events; get a snapshot from `GET /api/v3/depth`.
/// 2. A snapshot older than the first buffered event is fetched again.
/// 3. Events with `u <= lastUpdateId` are dropped. The first applied one has `U <= lastUpdateId + 1 <= u`.
/// 4. From then on `U` is the previous `u + 1`; anything above is a gap and the book starts again, anything
///    that ends at or below what we have is old.
/// 5. Sizes are absolute; 0 removes, and removing a level that is not there is normal.
///
/// Futures differ: events with `u < lastUpdateId` are dropped, the first applied one has `U <= lastUpdateId
/// <= u`, and from then on `pu` is the previous `u`.
///
/// Source: Binance API documentation, "How to manage a local order book correctly" (spot) and "How to manage
/// a local order book correctly" (USD-M and COIN-M futures), read 2026-11.
package struct BinanceSession: VenueSession {
    /// What the depth stream of one book is at.
    struct DepthState: Sendable {
        /// The last update that the book contains.
        var lastUpdateID: Int64 = 0
        /// True until the first event after the snapshot was applied.
        var isFirst = true
        /// Events that are passed over.
        var stale = StaleRun()
        /// Events that wait for the snapshot.
        var pending: [BinanceDiff] = []
    }

    /// Events of one book that may wait for its snapshot: ten minutes at ten a second.
    static let pendingLimit = 6_000

    var core: SessionCore
    var depths: [DepthState] = []
    /// What the address of each connection subscribes to, by instrument.
    var openedWith: [[ChannelSet]] = []
    var requestID = 0
    /// The connection of what is no book, where the market has one.
    var tape = LinkWatch()
    let market: BinanceMarket
    /// When the next open interest is asked for, and of which instrument.
    var interests = (due: Timestamp.zero, place: 0)

    /// A session that follows what the configuration names, on one of the markets.
    package init(_ configuration: VenueConfiguration, _ market: BinanceMarket) {
        core = SessionCore(configuration)
        self.market = market
        depths = core.trackers.map { _ in DepthState() }
    }

    var isFutures: Bool { market != .spot }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: route("exchangeInfo"))))
        openedWith = []
        for connection in market.roots.indices { open(connection, into: &output) }
    }

    func streams(_ channels: ChannelSet, of index: InstrumentIndex) -> [String] {
        let symbol = core.registry[index].symbol.lowercased()
        var streams: [String] = []
        if channels.contains(.book) { streams.append("\(symbol)@depth@100ms") }
        if channels.contains(.trade) { streams.append("\(symbol)@aggTrade") }
        if channels.contains(.ticker) { streams.append("\(symbol)@bookTicker") }
        if channels.contains(.candle) { streams.append("\(symbol)@kline_1m") }
        guard isFutures else { return streams }
        if !channels.isDisjoint(with: BinanceSession.marking) { streams.append("\(symbol)@markPrice@1s") }
        if channels.contains(.liquidation) { streams.append("\(symbol)@forceOrder") }
        return streams
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        while depths.count < core.trackers.count { depths.append(DepthState()) }
        for change in changes {
            if change.lost.contains(.book) { depths[change.index.offset] = DepthState() }
            if change.gained.contains(.book) { awaitImage(change.index, at: time) }
        }
        for connection in market.roots.indices where isUp(connection) {
            ask(for: changes, on: connection, into: &output)
        }
    }

    /// The first event asks for the snapshot; a quiet instrument gets it after a second all the same.
    private mutating func awaitImage(_ index: InstrumentIndex, at time: Timestamp) {
        depths[index.offset] = DepthState()
        core.trackers[index.offset].attempts = 0
        guard core.isConnected else { return }
        core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: 1_000_000_000))
    }

    func route(_ name: String) -> String {
        core.configuration.restURL + market.path + name
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        if connection == 0 { core.connected(at: time) } else { tape.connected(at: time) }
        ask(for: changes(since: connection), on: connection, into: &output)
        guard connection == 0 else { return }
        for index in core.registry.indices where core.wants(.book, index) {
            awaitImage(index, at: time)
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        guard connection == 0 else {
            core.derivatives.removeAll()
            return tape.disconnected()
        }
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        act(on: core.watch(at: time), connection: 0, into: &output)
        act(on: tape.watch(at: time, core.silence), connection: 1, into: &output)
        if core.isConnected { askForImages(at: time, into: &output) }
        askForOpenInterest(at: time, into: &output)
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

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            output.actions.append(.request(VenueRequest(purpose: .bookSnapshot(index), url: depthURL(index))))
        }
    }

    func depthURL(_ index: InstrumentIndex) -> String {
        let limit = [100, 500, 1_000].first { $0 >= core.configuration.bookDepth } ?? 1_000
        return route("depth") + "?symbol=\(URLText.escape(core.registry[index].symbol))&limit=\(limit)"
    }

    // MARK: - Messages

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        if connection == 1, tape.isConnected { tape.received(at: time) } else { core.received(at: time) }
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try readMessage(&scanner, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            core.suspectBooks(
                in: frame, looksLikeBook: frame.mentions("depth"), at: time, into: &output)
            for tracker in core.trackers where !tracker.isFollowing && !depths[tracker.index.offset].isFirst {
                depths[tracker.index.offset] = DepthState()
            }
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    private mutating func readMessage(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let start = scanner.index
        // As the venue writes it, without a look at each key.
        if scanner.takeExactly("{\"stream\":"), try scanner.peek() == 0x22 {
            let stream = try scanner.text()
            if scanner.takeExactly(",\"data\":"), let kind = BinanceMessage(scanner.bytes(stream)) {
                try read(kind, &scanner, at: time, into: &output)
                try scanner.finishObject()
                return try scanner.expectEnd()
            }
        }
        scanner.index = start
        var stream: JSONText?
        var data: Int?
        var isDone = false
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "stream") {
                stream = try scanner.text()
            } else if scanner.equals(key, "data") {
                // The stream's name comes first, so that the body is read where it lies.
                if let stream, let kind = BinanceMessage(scanner.bytes(stream)) {
                    try read(kind, &scanner, at: time, into: &output)
                    isDone = true
                    return
                }
                data = scanner.index
                try scanner.skip()
            } else {
                if scanner.equals(key, "error") { output.counters.refused &+= 1 }
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        if isDone { return }
        var kind: BinanceMessage?
        if data != nil, let stream { kind = BinanceMessage(scanner.bytes(stream)) }
        scanner.index = data ?? start
        if kind == nil {
            kind = try BinanceMessage.byEventType(&scanner)
            scanner.index = data ?? start
        }
        if let kind {
            try read(kind, &scanner, at: time, into: &output)
        } else if data != nil {
            // A stream that nobody asked for; without one it is the answer to a subscription.
            output.counters.unexpected &+= 1
        }
    }

    @inline(__always)
    private mutating func read(
        _ kind: BinanceMessage, _ scanner: inout JSONScanner, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        switch kind {
        case .depth: try readDepth(&scanner, at: time, into: &output)
        case .bookTicker: try readTicker(&scanner, at: time, into: &output)
        case .aggregateTrade: try readTrade(&scanner, isAggregate: true, at: time, into: &output)
        case .trade: try readTrade(&scanner, isAggregate: false, at: time, into: &output)
        case .kline: try readCandle(&scanner, at: time, into: &output)
        case .mark: try readMark(&scanner, at: time, into: &output)
        case .liquidation: try readLiquidation(&scanner, at: time, into: &output)
        }
    }

    /// The index of a symbol, with the depth state that belongs to it.
    @inline(__always)
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        if depths.count < core.trackers.count { depths.append(DepthState()) }
        return index
    }
}

/// The kinds of messages that are read.
enum BinanceMessage: Hashable {
    case depth, bookTicker, aggregateTrade, trade, kline, mark, liquidation

    /// By the stream's name, `<symbol>@<kind>…`.
    @inline(__always)
    init?(_ stream: UnsafeRawBufferPointer) {
        var at = 0
        while at < stream.count, stream[at] != 0x40 { at &+= 1 }
        guard at &+ 2 < stream.count else { return nil }
        switch stream[at &+ 1] {
        case 0x64: self = .depth
        case 0x62: self = .bookTicker
        case 0x61: self = .aggregateTrade
        case 0x74:
            guard stream[at &+ 2] == 0x72 else { return nil }
            self = .trade
        case 0x6B: self = .kline
        case 0x6D: self = .mark
        case 0x66: self = .liquidation
        default: return nil
        }
    }

    /// By the event type `e` of a raw message; a spot `bookTicker` has none and is known by its keys.
    static func byEventType(_ scanner: inout JSONScanner) throws(ScanError) -> BinanceMessage? {
        var kind: BinanceMessage?
        var quoteKeys = 0
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "e") {
                let text = try scanner.text()
                if scanner.equals(text, "depthUpdate") { kind = .depth }
                if scanner.equals(text, "bookTicker") { kind = .bookTicker }
                if scanner.equals(text, "markPriceUpdate") { kind = .mark }
                if scanner.equals(text, "forceOrder") { kind = .liquidation }
                if scanner.equals(text, "aggTrade") { kind = .aggregateTrade }
                if scanner.equals(text, "trade") { kind = .trade }
                if scanner.equals(text, "kline") { kind = .kline }
                return
            }
            switch scanner.single(key) {
            case 0x62, 0x42, 0x61, 0x41: quoteKeys += 1
            default: break
            }
            try scanner.skip()
        }
        return kind ?? (quoteKeys == 4 ? .bookTicker : nil)
    }
}
