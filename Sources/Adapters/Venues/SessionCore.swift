import Instruments
import MarketData

/// Which kinds of data an instrument is subscribed to, as bits.
struct ChannelSet: OptionSet, Sendable {
    let rawValue: UInt16
    static let book = ChannelSet(rawValue: 1)
    static let trade = ChannelSet(rawValue: 2)
    static let ticker = ChannelSet(rawValue: 4)
    static let candle = ChannelSet(rawValue: 8)
    static let mark = ChannelSet(rawValue: 16)
    static let derivative = ChannelSet(rawValue: 32)
    static let liquidation = ChannelSet(rawValue: 64)
    static let all: ChannelSet = [.book, .trade, .ticker, .candle, .mark, .derivative, .liquidation]

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ channels: Set<VenueChannel>) {
        self = []
        if channels.contains(.book) { insert(.book) }
        if channels.contains(.trade) { insert(.trade) }
        if channels.contains(.ticker) { insert(.ticker) }
        if channels.contains(.candle) { insert(.candle) }
        if channels.contains(.mark) { insert(.mark) }
        if channels.contains(.derivative) { insert(.derivative) }
        if channels.contains(.liquidation) { insert(.liquidation) }
    }
}

/// What all sessions share: instruments, books, definitions, recovery and the watch over the connection.
struct SessionCore: Sendable {
    /// How long an image may take.
    ///
    /// Nanoseconds.
    static let imageLimit: Int64 = 10_000_000_000

    let configuration: VenueConfiguration
    var registry: InstrumentRegistry
    var trackers: [BookTracker] = []
    /// How the numbers of each instrument are read; beside the books, so that nothing of those is copied.
    private(set) var forms: [(price: DecimalForm, size: DecimalForm)] = []
    private let policy: DecimalPolicy
    /// Whether the places of prices and sizes are those of the texts, which may differ from what the venue
    /// says of its instruments.
    private var scalesFollowTexts: Bool { policy == .verbatim }
    var channels: [ChannelSet] = []
    /// What this connection has said of derivatives that are followed.
    var derivatives: [InstrumentIndex: DerivativeTicker] = [:]
    var definitions: [String: Instrument] = [:]
    var governor: ResyncGovernor
    var isConnected = false
    /// Whether an image may be due before the next tick.
    var needsImages = false
    var lastReceived = Timestamp.zero
    private var pingedAt: Timestamp?

    init(_ configuration: VenueConfiguration, _ policy: DecimalPolicy = .significant) {
        self.configuration = configuration
        self.policy = policy
        registry = InstrumentRegistry(venue: configuration.venue)
        let images = configuration.description.images
        governor = ResyncGovernor(rate: images.perSecond, burst: images.burst, seed: configuration.seed)
        for (symbol, wanted) in configuration.subscriptions {
            _ = enter(symbol, channels: ChannelSet(wanted))
        }
    }

    // MARK: - Instruments

    /// The index of a symbol in a message.
    ///
    /// A replay enters new symbols; otherwise they are unknown.
    @inline(__always)
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        if let known = registry.find(symbol) { return known }
        return discover(symbol)
    }

    private mutating func discover(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        guard configuration.discoversInstruments, let text = String(validating: symbol, as: UTF8.self) else {
            return nil
        }
        return enter(text, channels: .all)
    }

    mutating func enter(_ symbol: String, channels wanted: ChannelSet) -> InstrumentIndex? {
        guard let index = registry.insert(symbol) else { return nil }
        if index.offset == trackers.count {
            let definition = scalesFollowTexts ? nil : definitions[symbol]
            trackers.append(
                BookTracker(
                    index: index, priceScale: definition?.priceScale ?? .zero,
                    sizeScale: definition?.sizeScale ?? .zero))
            channels.append(wanted)
            forms.append(formsOfBook(index))
        } else {
            channels[index.offset].formUnion(wanted)
        }
        return index
    }

    /// Takes in what the venue says of an instrument, whether it is followed or not.
    mutating func define(_ instrument: Instrument, into output: inout VenueOutput) {
        definitions[instrument.id.symbol] = instrument
        guard let index = registry.find(instrument.id.symbol) else {
            output.listed.append(instrument)
            return
        }
        if !scalesFollowTexts {
            _ = refine(index, price: instrument.priceScale, size: instrument.sizeScale)
        }
        output.events.append(.instrument(index, instrument))
    }

    /// Makes an instrument's scales at least so fine; `false` when its levels would not fit.
    mutating func refine(_ index: InstrumentIndex, price: Scale, size: Scale) -> Bool {
        do throws(BookError) {
            try trackers[index.offset].book.refine(price: price, size: size)
            forms[index.offset] = formsOfBook(index)
            return true
        } catch {
            return false
        }
    }

    /// Makes an instrument's sizes coarser; what its book holds is forgotten.
    mutating func coarsen(_ index: InstrumentIndex, size: Scale) {
        let scale = trackers[index.offset].book.priceScale
        trackers[index.offset].book = Book(priceScale: scale, sizeScale: size)
        forms[index.offset] = formsOfBook(index)
    }

    private func formsOfBook(_ index: InstrumentIndex) -> (price: DecimalForm, size: DecimalForm) {
        let book = trackers[index.offset].book
        return (DecimalForm(.price, book.priceScale, policy), DecimalForm(.size, book.sizeScale, policy))
    }

    /// Answers a scan that met more places than the scale has; `false` when that cannot be helped.
    mutating func refine(_ index: InstrumentIndex, after error: ScanError) -> Bool {
        let scales = scales(of: index)
        switch error {
        case .needsPriceScale(let places):
            guard let scale = Scale(places) else { return false }
            return refine(index, price: scale, size: scales.size)
        case .needsSizeScale(let places):
            guard let scale = Scale(places) else { return false }
            return refine(index, price: scales.price, size: scale)
        case .malformed, .overflow:
            return false
        }
    }

    func wants(_ channel: ChannelSet, _ index: InstrumentIndex) -> Bool {
        channels[index.offset].contains(channel)
    }

    // MARK: - Recovery

    /// Throws a book away; its image is asked for by the next ``takeDue(at:)``.
    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        output.counters.resyncs &+= 1
        needsImages = true
        let delay = governor.delay(attempts: trackers[index.offset].attempts)
        trackers[index.offset].lose(
            reason, detail, due: time.adding(nanoseconds: delay), at: time, into: &output)
    }

    /// The next instrument whose image is to be asked for now; it is `waiting` from here on.
    mutating func takeDue(at time: Timestamp) -> InstrumentIndex? {
        needsImages = false
        for offset in trackers.indices where channels[offset].contains(.book) {
            switch trackers[offset].phase {
            case .scheduled(let due) where due <= time:
                guard governor.take(at: time) else { return nil }
            case .waiting(let since) where time.nanoseconds(since: since) > patience(trackers[offset]):
                guard governor.take(at: time) else { return nil }
            default: continue
            }
            trackers[offset].phase = .waiting(since: time)
            trackers[offset].attempts += 1
            return trackers[offset].index
        }
        return nil
    }

    /// How long a book waits for its image until that is asked for again, in nanoseconds: longer each time,
    /// for a venue that never gives it counts each question.
    private func patience(_ tracker: BookTracker) -> Int64 {
        SessionCore.imageLimit << Int64(min(max(tracker.attempts - 1, 0), 3))
    }

    /// Whether an answer with the whole book may become it: somebody wants it, nothing better is there, and
    /// the changes after it come.
    ///
    /// An answer may arrive after its connection has gone, or after nobody wants the book any more. A replay
    /// has no connections of its own.
    func takesImage(_ index: InstrumentIndex) -> Bool {
        wants(.book, index) && !trackers[index.offset].isFollowing
            && (isConnected || configuration.discoversInstruments)
    }

    // MARK: - Connection

    /// Every wanted book is `syncing` until its image comes.
    mutating func begin(at time: Timestamp, into output: inout VenueOutput) {
        for offset in trackers.indices where channels[offset].contains(.book) {
            trackers[offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
    }

    mutating func connected(at time: Timestamp) {
        isConnected = true
        lastReceived = time
        pingedAt = nil
    }

    @inline(__always)
    mutating func received(at time: Timestamp) {
        lastReceived = time
        pingedAt = nil
    }

    /// Every wanted book keeps its levels and is `stale`.
    mutating func disconnected(at time: Timestamp, into output: inout VenueOutput) {
        isConnected = false
        derivatives.removeAll()
        for offset in trackers.indices where channels[offset].contains(.book) {
            trackers[offset].phase = .idle
            if trackers[offset].state != .syncing {
                trackers[offset].declare(.stale, .disconnected, at: time, into: &output)
            } else {
                trackers[offset].declare(.syncing, .disconnected, at: time, into: &output)
            }
        }
    }

    /// What silence asks for.
    enum Watch { case nothing, ping, reconnect }

    mutating func watch(at time: Timestamp) -> Watch {
        guard isConnected else { return .nothing }
        return silence.watch(since: lastReceived, pinged: &pingedAt, at: time)
    }

    /// How long a connection of the venue may say nothing.
    var silence: SilenceLimit { configuration.description.silence }

    // MARK: - Malformed messages

    /// Resyncs the books that an unreadable message may have been about: those that it names, or all of them
    /// when it names none and looks like a message about a book.
    mutating func suspectBooks(
        in frame: UnsafeRawBufferPointer, looksLikeBook: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard looksLikeBook else { return }
        var named: [InstrumentIndex] = []
        var start: Int?
        for (offset, byte) in frame.enumerated() where byte == 0x22 {
            if let opening = start {
                let text = UnsafeRawBufferPointer(rebasing: frame[(opening + 1)..<offset])
                if let index = registry.find(text), !named.contains(index) { named.append(index) }
            }
            start = offset
        }
        let suspects = named.isEmpty ? Array(registry.indices) : named
        for index in suspects where trackers[index.offset].isFollowing {
            lose(index, .malformedMessage, "\(frame.count) bytes could not be read", at: time, into: &output)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a literal occurs anywhere; for the rare frame that could not be read.
    func mentions(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard count >= length else { return false }
        let wanted = UnsafeBufferPointer(start: literal.utf8Start, count: length)
        for start in 0...(count - length) where self[start..<start + length].elementsEqual(wanted) {
            return true
        }
        return false
    }
}
