import Alerting
import Instruments
import MarketData
import MarketStore
import Recordings
import Store
import Venues
import Zones

/// Plays market data into an alert engine and gathers what would have fired; nothing is stored.
///
/// `last` is evaluated on each trade in the venue's order; bid, ask, mid and spread after each change of a
/// book that is live; candles are made of the trades.
struct AlertBacktest {
    /// A firing with the place at which it was found.
    struct Found {
        var firing: Firing
        var order: Int
    }

    /// One instrument that rules look at.
    private struct Subject {
        var handle: MarketHandle
        var closes: CandleCloses
        var depth: Int
        var lastTrade: (time: Timestamp, id: String)?
        var top: BookQuote?
        /// What the data has of it.
        var seen: Set<AlertSource> = []
    }

    private let file: RuleFile
    private var engine = AlertEngine()
    private var subjects: [InstrumentID: Subject] = [:]
    private var known: Set<InstrumentID> = []
    /// Others that may have been meant.
    private var near: Set<InstrumentID> = []
    private var outputs: [AlertOutput] = []
    private var found: [Found] = []

    /// Enters the rules.
    ///
    /// - Throws: ``CommandFailure`` naming file, line, field, value and what is accepted.
    init(rules file: RuleFile) throws {
        self.file = file
        for (index, rule) in file.rules.enumerated() {
            if let zone = rule.active?.timeZone, let offsets = ZoneDirectory.system.offsets(of: zone) {
                engine.resolve(offsets)
            }
            do {
                try engine.add(rule, into: &outputs)
            } catch {
                throw file.fault(index, error.description)
            }
        }
        for instrument in Set(file.rules.compactMap(\.instrument)) {
            let handle = engine.market(instrument)
            subjects[instrument] = Subject(
                handle: handle, closes: CandleCloses(intervals: engine.intervals(of: handle)),
                depth: engine.depth(of: handle))
        }
    }

    /// Every firing in the venue's order: by its time, then in the order of the data, then by the rule's id.
    ///
    /// - Throws: ``CommandFailure`` when a rule's instrument is not in the data.
    func firings() throws -> [Firing] {
        for (index, rule) in file.rules.enumerated() {
            guard let id = rule.instrument, id.isTraded, !known.contains(id) else { continue }
            throw file.unknownInstrument(index, id, known: Array(known.union(near)))
        }
        return found.sorted { left, right in
            left.firing.venueTime == right.firing.venueTime
                ? left.order < right.order : left.firing.venueTime < right.firing.venueTime
        }.map(\.firing)
    }

    /// Rules that the data says nothing about, a sentence each.
    var undecided: [String] {
        file.rules.compactMap { rule in
            let lacks: String
            switch rule.condition.input {
            case .figure(let id, _): lacks = "no worth of portfolio \(id)"
            case .listings(let venue): lacks = "no time at which \(venue) listed something"
            case let input:
                // A feed is judged by its book.
                let source = input.source ?? .book
                guard let id = rule.instrument, subjects[id]?.seen.contains(source) != true else {
                    return nil
                }
                lacks = "no \(source.words) of \(id)"
            }
            return "rule \(rule.id) is not decided: the data has \(lacks)"
        }
    }

    // MARK: - Trades from a file

    /// Plays trades of a file; one without a symbol belongs to the only instrument that the rules name.
    ///
    /// - Throws: ``CommandFailure``.
    mutating func play(_ trades: TapeFile) throws {
        for row in trades.rows {
            let id = try instrument(row)
            known.insert(id)
            play(row.trade, of: id)
        }
    }

    private func instrument(_ row: TapeFile.Row) throws -> InstrumentID {
        if let venue = row.venue, let symbol = row.symbol {
            return InstrumentID(venue: Venue(rawValue: venue), symbol: symbol)
        }
        let candidates = subjects.keys.filter(\.isTraded).filter { id in
            (row.symbol == nil || row.symbol == id.symbol)
                && (row.venue == nil || row.venue == id.venue.rawValue)
        }
        if candidates.count == 1, let only = candidates.first { return only }
        if let symbol = row.symbol, candidates.isEmpty {
            return InstrumentID(venue: Venue(rawValue: row.venue ?? "?"), symbol: symbol)
        }
        throw CommandFailure(
            .failed,
            "the trades do not say of which instrument they are, and the rules name \(subjects.count): "
                + "add the columns venue and symbol")
    }

    // MARK: - Stored trades

    /// Plays the stored trades of a span of venue time, of every instrument that the rules name.
    ///
    /// - Throws: ``CommandFailure`` for a rule that looks at a book.
    mutating func play(stored span: Range<Timestamp>, in database: Database) async throws {
        for (index, rule) in file.rules.enumerated() where rule.condition.input.needsBook {
            throw file.fault(
                index,
                "field \"condition\" looks at a book, of whose changes nothing is stored: accepted with --from "
                    + "are conditions of trades and candles")
        }
        let stored = Set(try await database.instruments().map(\.id))
        near = stored
        for id in subjects.keys.sorted() where stored.contains(id) {
            known.insert(id)
            try await play(id, span, in: database)
        }
    }

    private mutating func play(_ id: InstrumentID, _ span: Range<Timestamp>, in database: Database)
        async throws
    {
        var (from, limit) = (span.lowerBound, 10_000)
        var played: Set<String> = []
        while true {
            let trades = try await database.trades(of: id, from: from, to: span.upperBound, limit: limit)
            // A page begins with the instant that the last one ended in.
            for trade in trades where trade.venueTime > from || !played.contains(trade.id) {
                var trade = trade
                // What was fetched after a gap is part of the tape like everything else.
                trade.isBackfill = false
                play(trade, of: id)
            }
            guard trades.count == limit, let last = trades.last else { return }
            if last.venueTime == from { limit *= 2 }
            from = last.venueTime
            played = Set(trades.lazy.filter { $0.venueTime == from }.map(\.id))
        }
    }

    // MARK: - Recordings

    /// Plays a recording through its venue's session.
    ///
    /// - Returns: What could not be read of it.
    /// - Throws: `RecordingError` or ``CommandFailure``.
    mutating func play(recording path: String) throws -> InputFaults {
        var replay = try RecordingReplay(path: path)
        for id in subjects.keys { suspect(id, "another recording begins") }
        let faults = try replay.run { _, output, session in
            for event in output.events { play(event, session) }
        }
        known.formUnion(replay.session.registry.ids)
        return faults
    }

    private mutating func play(_ event: MarketEvent, _ session: any VenueSession) {
        switch event {
        case .trade(let index, let trade): play(trade, of: session.registry[index])
        case .book(let book): play(book, of: session.registry[book.instrument], session)
        case .state(let index, let change): play(change, of: session.registry[index])
        case .mark(let index, let mark): play(mark, of: session.registry[index])
        case .derivative(let index, let ticker): play(ticker, of: session.registry[index])
        case .ticker, .candle, .liquidation, .instrument: break
        }
    }

    private mutating func play(_ trade: Trade, of id: InstrumentID) {
        guard var subject = subjects[id] else { return }
        if trade.isBackfill, let last = subject.lastTrade, trade.venueTime < last.time || trade.id == last.id
        {
            // The venue repeats what it said before; that was evaluated.
            return
        }
        subject.lastTrade = (trade.venueTime, trade.id)
        subject.seen.insert(.trades)
        if !engine.isProven(.trades, of: subject.handle) {
            engine.prove(.trades, of: subject.handle, at: trade.venueTime, into: &outputs)
        }
        for candle in subject.closes.add(trade) { engine.close(candle, of: subject.handle, into: &outputs) }
        engine.trade(trade, of: subject.handle, into: &outputs)
        subjects[id] = subject
        collect()
    }

    private mutating func play(_ mark: MarkPrice, of id: InstrumentID) {
        guard let handle = subjects[id]?.handle else { return }
        subjects[id]?.seen.insert(.mark)
        engine.prove(.mark, of: handle, at: mark.venueTime, into: &outputs)
        engine.reference(
            .mark, Price(mark.price.units), mark.price.scale, at: mark.venueTime, received: mark.receivedTime,
            of: handle, into: &outputs)
        collect()
    }

    private mutating func play(_ ticker: DerivativeTicker, of id: InstrumentID) {
        guard let handle = subjects[id]?.handle else { return }
        subjects[id]?.seen.insert(.derivative)
        let time = ticker.venueTime ?? ticker.receivedTime
        engine.prove(.derivative, of: handle, at: time, into: &outputs)
        for measure in DerivativeMeasure.allCases {
            guard let value = ticker.value(measure) else { continue }
            engine.derivative(measure, value, (time, ticker.receivedTime), of: handle, into: &outputs)
        }
        collect()
    }

    private mutating func play(_ event: BookEvent, of id: InstrumentID, _ session: any VenueSession) {
        guard var subject = subjects[id] else { return }
        let book = subject.depth > 0 ? session.book(of: event.instrument)?.top(subject.depth) : nil
        let quote = BookQuote(
            bid: event.summary.bid, ask: event.summary.ask, bids: book?.bids ?? [], asks: book?.asks ?? [],
            priceScale: event.priceScale, sizeScale: event.sizeScale, venueTime: event.venueTime,
            receivedTime: event.receivedTime)
        subject.top = quote
        subject.seen.insert(.book)
        subjects[id] = subject
        // A whole book is live from itself on, unless it is crossed; no state is said for it.
        if event.isSnapshot, !event.summary.isCrossed {
            engine.prove(.book, of: subject.handle, at: quote.venueTime ?? quote.receivedTime, into: &outputs)
        }
        engine.quote(quote, of: subject.handle, into: &outputs)
        collect()
    }

    private mutating func play(_ change: BookStateChange, of id: InstrumentID) {
        guard let subject = subjects[id] else { return }
        if change.state == .live {
            engine.prove(.book, of: subject.handle, at: change.receivedTime, into: &outputs)
            // The levels that made it live were said before.
            if let top = subject.top { engine.quote(top, of: subject.handle, into: &outputs) }
        } else {
            engine.doubt(
                .book, of: subject.handle, at: change.receivedTime, because: change.reason.name,
                into: &outputs)
        }
        collect()
    }

    private mutating func suspect(_ id: InstrumentID, _ reason: String) {
        guard let subject = subjects[id] else { return }
        for source in AlertSource.allCases where engine.isProven(source, of: subject.handle) {
            let time = subject.lastTrade?.time ?? subject.top?.receivedTime ?? .zero
            engine.doubt(source, of: subject.handle, at: time, because: reason, into: &outputs)
        }
        collect()
    }

    private mutating func collect() {
        guard !outputs.isEmpty else { return }
        for case .fired(let firing) in outputs { found.append(Found(firing: firing, order: found.count)) }
        outputs.removeAll(keepingCapacity: true)
    }
}

extension ConditionInput {
    /// Whether it is something that is not made of trades.
    fileprivate var needsBook: Bool {
        switch self {
        case .price(let price): price != .last
        case .spread, .levels: true
        case .trades, .closes, .derivative, .feed, .figure, .listings: false
        }
    }
}

extension AlertSource {
    /// What data lacks, for a person.
    fileprivate var words: String {
        switch self {
        case .trades: "trade"
        case .book: "book"
        case .reference: "index price"
        case .mark: "mark price"
        case .derivative: "funding rate or open interest"
        }
    }
}
