import Instruments
import MarketData

@testable import Venues

/// The protocol of ``CounterVenue``: an image has a number, and each change has the next.
struct CounterSession: VenueSession {
    private var core: SessionCore
    /// The number of the last change that a book contains, by instrument.
    private var numbers: [Int64]

    init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        numbers = core.trackers.map { _ in 0 }
    }

    var registry: InstrumentRegistry { core.registry }

    func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let url = core.configuration.restURL + core.configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: url)))
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL))
    }

    mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        let wanted = core.registry.indices.filter { core.wants(.book, $0) }
        ask("subscribe", wanted, into: &output)
        for index in wanted {
            core.trackers[index.offset].phase = .waiting(since: time)
            core.trackers[index.offset].attempts = 1
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
    }

    mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        guard core.isConnected else { return }
        ask("unsubscribe", changes.filter { $0.lost.contains(.book) }.map(\.index), into: &output)
        ask("subscribe", changes.filter { $0.gained.contains(.book) }.map(\.index), into: &output)
    }

    private func ask(_ what: String, _ instruments: [InstrumentIndex], into output: inout VenueOutput) {
        guard !instruments.isEmpty else { return }
        let list = instruments.map { "\"\(core.registry[$0].symbol)\"" }.joined(separator: ",")
        output.actions.append(.send(connection: 0, text: "{\"\(what)\":[\(list)]}"))
    }

    private mutating func grow() {
        while numbers.count < core.trackers.count { numbers.append(0) }
    }

    mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: output.actions.append(.send(connection: 0, text: "{\"ping\":1}"))
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        if core.isConnected { askForImages(at: time, into: &output) }
    }

    mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        core.lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    private mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) { ask("subscribe", [index], into: &output) }
    }

    // MARK: - Messages

    mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try read(&scanner, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            core.suspectBooks(in: frame, looksLikeBook: frame.mentions("bids"), at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    private mutating func read(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var about: (symbol: JSONText, isImage: Bool)?
        var number: Int64 = -1
        var traded: JSONText?
        var rows: [(price: DecimalNumber, size: DecimalNumber)] = []
        var levels: [(side: BookSide, price: DecimalNumber, size: DecimalNumber)] = []
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "image") || scanner.equals(key, "change") {
                let isImage = scanner.equals(key, "image")
                about = (try scanner.text(), isImage)
            } else if scanner.equals(key, "n") {
                number = try scanner.integer()
            } else if scanner.equals(key, "bids") || scanner.equals(key, "asks") {
                let side: BookSide = scanner.equals(key, "bids") ? .bid : .ask
                try scanner.array { scanner throws(ScanError) in
                    var pair: [DecimalNumber] = []
                    try scanner.row(2) { scanner, _ throws(ScanError) in
                        pair.append(try scanner.rawDecimal().normalized)
                    }
                    levels.append((side, pair[0], pair[1]))
                }
            } else if scanner.equals(key, "trades") {
                traded = try scanner.text()
            } else if scanner.equals(key, "rows") {
                try scanner.array { scanner throws(ScanError) in
                    var pair: [DecimalNumber] = []
                    try scanner.row(2) { scanner, _ throws(ScanError) in
                        pair.append(try scanner.rawDecimal().normalized)
                    }
                    rows.append((pair[0], pair[1]))
                }
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        if let traded, let index = core.instrument(scanner.bytes(traded)) {
            try say(rows, of: index, at: time, into: &output)
        }
        guard let about, let index = core.instrument(scanner.bytes(about.symbol)) else { return }
        grow()
        guard core.wants(.book, index) else { return }
        // Scales grow before any level is taken.
        for level in levels { _ = try core.scale(level.price, level.size, index) }
        var changes: [BookLevelChange] = []
        for level in levels {
            let (price, size) = try core.scale(level.price, level.size, index)
            changes.append(BookLevelChange(side: level.side, price: price, size: size))
        }
        take(changes, number, isImage: about.isImage, index, at: time, into: &output)
    }

    private mutating func say(
        _ rows: [(price: DecimalNumber, size: DecimalNumber)], of index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        grow()
        guard core.wants(.trade, index) else { return }
        for (place, row) in rows.enumerated() {
            guard output.accepts(row.price, row.size, of: index, id: "\(place)") else { continue }
            let (price, size) = try core.scale(row.price, row.size, index)
            let scales = core.scales(of: index)
            output.events.append(
                .trade(
                    index,
                    Trade(
                        id: "\(place)", side: .buy, price: price, size: size, priceScale: scales.price,
                        sizeScale: scales.size, venueTime: time, receivedTime: time)))
        }
    }

    private mutating func take(
        _ changes: [BookLevelChange], _ number: Int64, isImage: Bool, _ index: InstrumentIndex,
        at time: Timestamp, into output: inout VenueOutput
    ) {
        if isImage {
            core.trackers[index.offset].book.clear()
        } else {
            guard core.trackers[index.offset].isFollowing else { return }
            guard number == numbers[index.offset] + 1 else {
                output.counters.gaps &+= 1
                let detail = "expected \(numbers[index.offset] + 1), received \(number)"
                return core.lose(index, .sequenceGap, detail, at: time, into: &output)
            }
        }
        numbers[index.offset] = number
        for change in changes { core.trackers[index.offset].book.apply(change) }
        if isImage {
            return core.trackers[index.offset].publishSnapshot(venueTime: nil, at: time, into: &output)
        }
        let start = output.levels.count
        output.levels += changes
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: nil, at: time, into: &output)
        if isStuck { core.lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    // MARK: - Requests

    mutating func request(for url: String) -> VenueRequest? {
        let list = core.configuration.description.instrumentList
        guard URLText.path(of: url).hasSuffix(list) else { return nil }
        return VenueRequest(purpose: .instruments, url: url)
    }

    mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard status == 200, request.purpose == .instruments else { return }
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            try scanner.array { scanner throws(ScanError) in
                guard let symbol = try HistoryText.field("symbol", in: &scanner) else { throw .malformed }
                let parts = symbol.split(separator: "-").map(String.init)
                guard parts.count == 2 else { throw .malformed }
                let instrument = Instrument(
                    id: InstrumentID(venue: core.configuration.venue, symbol: symbol),
                    base: Asset(rawValue: parts[0]), quote: Asset(rawValue: parts[1]), kind: .spot,
                    priceScale: .zero, sizeScale: .zero)
                core.define(instrument, into: &output)
            }
            core.compareWithList(at: time, into: &output)
        } catch {
            output.malformed("answer", bytes: body.count)
        }
    }

    func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? { nil }

    func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? { nil }

    func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? { nil }
}
