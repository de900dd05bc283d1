import Instruments
import MarketData
import MarketState
import Wire

/// What a ``MarketSet`` wants done.
enum MarketOutput: Sendable {
    /// Publish a candle.
    case candle(Int, Candle)
    /// Store closed candles, all at once.
    case store(Int, [Candle])
    /// Read the tape.
    case read(TapeReads.Request)
    /// Ask the venue for its own candles.
    case mend(Int, CandleRefetch.Question)
}

/// The candles and tickers of all instruments: what came over the bus in, what to publish, store and read
/// out.
///
/// It knows no socket, clock or logger: time is passed in. Closed and amended candles are told after the
/// batch that made them so, open ones when ``tellOpen()`` is called. Candles close when their venue's time,
/// as ``VenueClock`` has it, is a second past their end: so much later may a trade come that happened in
/// time.
struct MarketSet: Sendable {
    /// Nanoseconds.
    private static let lateness: Int64 = 1_000_000_000
    /// Nanoseconds.
    private static let silence: Int64 = 60_000_000_000

    /// What to do, in order; whoever does it empties it.
    var outputs: [MarketOutput] = []
    private(set) var markets: [InstrumentMarket] = []
    /// Trades whose venue times are not believed.
    private(set) var unbelieved: UInt64 = 0
    /// Messages of more instruments than are followed.
    private(set) var refused: UInt64 = 0
    private var indices: [InstrumentID: Int] = [:]
    private var clocks: [VenueClock] = []
    private var venues: [Venue: Int] = [:]
    /// Of the lease that each market is owned under; 0 while it is not ours.
    private(set) var epochs: [Int64] = []
    /// The number of each market's venue.
    private var venueOf: [Int] = []
    private var touched: [Int] = []
    private var isTouched: [Bool] = []
    private let limit: Int
    private let pendingLimit: Int
    private let hasTape: Bool
    private let mendable: [Venue: Set<CandleInterval>]

    /// - Parameters:
    ///   - limit: Instruments at the most.
    ///   - hasTape: Whether trades are read from PostgreSQL and candles stored.
    ///   - pendingLimit: Trades of one instrument that may wait until they are known to be stored.
    ///   - mendable: The lengths of candles that each venue can be asked for.
    init(
        limit: Int, hasTape: Bool, pendingLimit: Int, mendable: [Venue: Set<CandleInterval>] = [:]
    ) {
        self.mendable = mendable
        self.limit = limit
        self.hasTape = hasTape
        self.pendingLimit = pendingLimit
    }

    /// The place of an instrument, which may be new; `nil` when there are too many.
    mutating func index(of id: InstrumentID, epoch: Int64) -> Int? {
        if let known = indices[id] { return known }
        guard markets.count < limit else {
            refused &+= 1
            return nil
        }
        let index = markets.count
        indices[id] = index
        markets.append(
            InstrumentMarket(
                id, hasTape: hasTape, pendingLimit: pendingLimit, mendable: mendable[id.venue] ?? []))
        isTouched.append(false)
        let venue = venues[id.venue] ?? clocks.count
        if venue == clocks.count {
            clocks.append(VenueClock())
            venues[id.venue] = venue
        }
        venueOf.append(venue)
        epochs.append(epoch)
        if epoch > 0 { markets[index].begin() }
        return index
    }

    /// The place of an instrument; `nil` when it is not known.
    func find(_ id: InstrumentID) -> Int? { indices[id] }

    // MARK: - In

    /// A live trade.
    mutating func take(_ trade: Trade, of index: Int, at now: Timestamp) {
        guard clocks[venueOf[index]].believes(trade.venueTime, at: now) else {
            unbelieved &+= 1
            markets[index].refuse()
            return
        }
        markets[index].take(trade)
        touch(index)
    }

    /// The feed stored a batch.
    mutating func take(_ mark: TradesStored, of index: Int) {
        markets[index].take(mark)
        touch(index)
    }

    /// Messages of one of the instrument's topics about trades were lost.
    mutating func lose(_ index: Int, at now: Timestamp) {
        markets[index].lose(at: time(of: index, at: now))
        touch(index)
    }

    /// What is stored of an instrument may not be what was handed over to be stored.
    mutating func doubt(_ id: InstrumentID) { if let index = indices[id] { markets[index].doubt() } }

    /// What was read, `nil` when it could not be.
    mutating func take(_ reading: StoredTape?, to request: TapeReads.Request, at now: Timestamp) {
        let index = request.index
        guard let reading else { return markets[index].abandonReading(request.number) }
        if let newest = reading.newest { clocks[venueOf[index]].note(newest, at: now) }
        markets[index].adopt(reading, of: request.number)
        touch(index)
    }

    /// An instrument begins to be ours, with the epoch of its lease, or ceases to be, with 0.
    mutating func own(_ index: Int, epoch: Int64) {
        guard epochs[index] != epoch else { return }
        epochs[index] = epoch
        markets[index].end()
        if epoch > 0 { markets[index].begin() }
    }

    /// A producer started again.
    mutating func restarted() { for index in markets.indices { markets[index].suspect() } }

    private mutating func touch(_ index: Int) {
        if isTouched[index] { return }
        isTouched[index] = true
        touched.append(index)
    }

    // MARK: - Out

    /// After a batch: tells what closed and stores what is known to be complete.
    mutating func settle() {
        for index in touched {
            isTouched[index] = false
            settle(index)
        }
        touched.removeAll(keepingCapacity: true)
    }

    private mutating func settle(_ index: Int) {
        markets[index].drain()
        for candle in markets[index].told { outputs.append(.candle(index, candle)) }
        markets[index].told.removeAll(keepingCapacity: true)
        let storable = markets[index].takeStorable()
        if !storable.isEmpty { outputs.append(.store(index, storable)) }
    }

    /// Reads the tapes that are to be read.
    mutating func read(at now: Timestamp) {
        for index in markets.indices where markets[index].beginReading(at: now) {
            let tape = ReadTape(
                id: markets[index].id, from: markets[index].readFrom,
                until: clocks[venueOf[index]].horizon(at: now))
            outputs.append(
                .read(TapeReads.Request(index: index, number: markets[index].reading, tape: tape)))
        }
    }

    /// Asks the venues for what is incomplete.
    mutating func mend(at now: Timestamp) {
        for index in markets.indices {
            if let question = markets[index].beginMending(at: now) { outputs.append(.mend(index, question)) }
        }
    }

    /// What a venue said; `nil` when it could not be asked.
    mutating func take(
        _ candles: [Candle]?, to question: CandleRefetch.Question, of index: Int, at now: Timestamp
    ) {
        markets[index].mend(with: candles, to: question, at: now)
        touch(index)
    }

    /// Tells the open candles that changed.
    mutating func tellOpen() {
        for index in markets.indices where markets[index].openChanges != 0 {
            for candle in markets[index].takeOpen() { outputs.append(.candle(index, candle)) }
        }
    }

    /// Lets venues' time act, of each instrument as far as its trades were heard; called once a second.
    mutating func advance(at now: Timestamp, heard voices: TradeVoices = TradeVoices()) {
        for index in markets.indices {
            let heard = min(now, voices.lastHeard(of: index) ?? now)
            guard let time = time(of: index, at: heard) else { continue }
            markets[index].advance(to: time.adding(nanoseconds: -Self.lateness))
            settle(index)
        }
    }

    /// Why what is told of an instrument is not of now; empty when it is.
    func staleReason(of index: Int, at now: Timestamp) -> String {
        guard let silence = clocks[venueOf[index]].silence(at: now) else { return "no trade came yet" }
        guard silence > Self.silence else { return "" }
        return "no trade came from \(markets[index].id.venue) for more than a minute"
    }

    /// The time of an instrument's venue; `nil` before its first trade.
    func time(of index: Int, at now: Timestamp) -> Timestamp? { clocks[venueOf[index]].time(at: now) }
}
