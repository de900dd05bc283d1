import AccountStore
import Instruments
import Shapes
import Store
import Wire

/// One thing that clients want, with what was said of it and what is needed to say more.
///
/// Encodes each change once, for all clients of all event loops.
struct StreamTopicState: Sendable {
    /// What it is.
    let topic: StreamTopic
    /// What was said.
    private(set) var log: StreamLog
    /// Whether clients may be told: false while the past is being read.
    var isReady: Bool
    /// The event loops with clients that want it.
    var shards: Set<Int> = []
    /// Since when nobody wants it.
    var idleSince: Timestamp?
    /// What is followed on the bus for it alone.
    let followed: OnDemandTopic?
    /// Of a watchlist.
    var watched: StreamSources.Watched?
    /// How many of the newest firings are looked at.
    static let firingWindow = 60

    private var last: [UInt8]?
    private var depth: DepthBody?
    private var tradeNumber: UInt64 = 0
    private var tradeRenewals: UInt64 = 0
    private var entries: [InstrumentID: [UInt8]] = [:]
    /// The firings that were told, of those that were looked at last.
    private var firings: [FiringBody] = []

    /// A thing of which nothing was said yet.
    init(_ topic: StreamTopic, epoch: UInt64) {
        self.topic = topic
        log = StreamLog(topic.channel.conflation, epoch: epoch)
        switch topic.channel {
        case .trades:
            followed = InstrumentID(topic.key).map { .trades($0) }
            isReady = false
        case .candles:
            followed = (try? StreamAccess.candles(topic.key)).map { .candles($0.0, $0.1) }
            isReady = true
        case .portfolio:
            followed = .valuation(topic.key)
            isReady = true
        case .watchlist, .alerts:
            followed = nil
            isReady = false
        case .ticker, .book, .index, .venues, .trending, .status:
            followed = nil
            isReady = true
        }
    }

    /// What of the market it is made of; `*` stands for all of them.
    var keys: [MarketKey] {
        switch topic.channel {
        case .ticker: InstrumentID(topic.key).map { [.ticker($0)] } ?? []
        case .book: InstrumentID(topic.key).map { [.depth($0)] } ?? []
        case .trades: InstrumentID(topic.key).map { [.trades($0)] } ?? []
        case .candles: (try? StreamAccess.candles(topic.key)).map { [.candle($0.0, $0.1)] } ?? []
        case .index: [.index(topic.key)]
        case .venues: [.feed(topic.key)]
        case .status: [.feed("*"), .service("*")]
        case .portfolio: [.valuation(topic.key)]
        case .watchlist: watched?.instruments.map { .ticker($0) } ?? []
        case .trending, .alerts: []
        }
    }

    /// Says what changed in the market, if anything.
    mutating func refresh(_ view: MarketView) -> [StreamUpdate] {
        switch topic.channel {
        case .ticker:
            guard let known = InstrumentID(topic.key).flatMap({ view.ticker($0) }) else { return [] }
            return say(TickerBody(known, view.condition))
        case .book: return sayDepth(view)
        case .trades: return isReady ? sayTrades(view) : []
        case .candles:
            guard let (interval, id) = try? StreamAccess.candles(topic.key),
                let body = view.candles(interval, id).flatMap({ NewestCandleBody($0, of: id) })
            else { return [] }
            return say(body)
        case .index: return view.index(topic.key).map { say(IndexBody($0, view.condition)) } ?? []
        case .venues: return sayVenues(view)
        case .status: return say(StreamStatusBody(view))
        case .portfolio: return view.valuation(topic.key).map { say(ValuationBody($0, view.condition)) } ?? []
        case .watchlist: return sayEntries(view)
        case .trending, .alerts: return []
        }
    }

    // MARK: - Manners

    /// Says the whole thing, unless it is as it was.
    mutating func say(_ body: some WireValue) -> [StreamUpdate] { say(bytes: body.kept) }

    /// The same of JSON.
    mutating func say(bytes: [UInt8]) -> [StreamUpdate] {
        guard bytes != last else { return [] }
        last = bytes
        return [append(bytes)]
    }

    /// Says new items.
    mutating func say(items: [[UInt8]]) -> [StreamUpdate] { items.map { append($0) } }

    private mutating func append(_ change: [UInt8], whole: [UInt8]? = nil) -> StreamUpdate {
        let sequence = log.append(change, whole: whole)
        return StreamUpdate(
            topic: topic, place: StreamCursor(epoch: log.epoch, sequence: sequence), change: change,
            whole: whole)
    }

    private mutating func sayDepth(_ view: MarketView) -> [StreamUpdate] {
        guard let id = InstrumentID(topic.key), let known = view.depth(id) else { return [] }
        let body = DepthBody(known.value, doubt: view.condition.doubt(about: known.producer))
        guard body != depth else { return [] }
        let change = depth.map { body.changes(since: $0) } ?? body
        depth = body
        return [append(change.kept, whole: log.wantsWhole ? body.kept : nil)]
    }

    private mutating func sayTrades(_ view: MarketView) -> [StreamUpdate] {
        guard let id = InstrumentID(topic.key), let ring = view.tradeRing(id) else { return [] }
        let new = ring.trades(after: tradeNumber)
        tradeNumber = ring.number
        return say(items: new.map { TradeBody($0, of: id).kept })
    }

    /// Whether trades turned up that belong between or before those that were told, or came faster than they
    /// are kept: then they are told whole.
    func lacksTrades(_ view: MarketView) -> Bool {
        guard topic.channel == .trades, isReady, let id = InstrumentID(topic.key),
            let ring = view.tradeRing(id)
        else { return false }
        return ring.renewals != tradeRenewals || ring.hasForgotten(after: tradeNumber)
    }

    /// Begins, or begins anew, with the trades that are known, stored ones too.
    mutating func fillTrades(_ view: MarketView, epoch: UInt64) {
        guard let id = InstrumentID(topic.key), let ring = view.tradeRing(id) else { return }
        log = StreamLog(topic.channel.conflation, epoch: epoch)
        (tradeNumber, tradeRenewals) = (ring.number, ring.renewals)
        _ = say(items: ring.trades.map { TradeBody($0, of: id).kept })
    }

    // MARK: - Alerts

    /// Says the firings that are new among the newest ones, which come oldest first.
    mutating func say(firings newest: [FiringBody]) -> [StreamUpdate] {
        let known = Set(firings.map(\.id))
        // One that is older than what was looked at comes back when a newer one is deleted: it is not new.
        let floor = firings.count < Self.firingWindow ? "" : firings[0].time
        firings = newest
        return say(items: newest.filter { !known.contains($0.id) && $0.time >= floor }.map(\.kept))
    }

    private mutating func sayVenues(_ view: MarketView) -> [StreamUpdate] {
        let condition = view.condition
        if topic.key == "*" {
            return say(["items": view.feeds().map { FeedBody($0, condition, at: view.now) }])
        }
        return view.feed(topic.key).map { say(FeedBody($0, condition, at: view.now)) } ?? []
    }

    // MARK: - Watchlists

    /// Begins the list anew, or after a change of its entries.
    mutating func watch(_ list: StreamSources.Watched, epoch: UInt64, _ view: MarketView) {
        watched = list
        log = StreamLog(topic.channel.conflation, epoch: epoch)
        entries = tickers(view)
        let whole = told(list, list.instruments)
        _ = append(whole, whole: whole)
    }

    private func tickers(_ view: MarketView) -> [InstrumentID: [UInt8]] {
        let condition = view.condition
        let ids = watched?.instruments ?? []
        let pairs = zip(ids, view.tickers(ids)).map { id, known in
            (id, WatchedEntry(instrument: id, ticker: known.map { TickerBody($0, condition) }).kept)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private mutating func sayEntries(_ view: MarketView) -> [StreamUpdate] {
        guard isReady, let watched else { return [] }
        let now = tickers(view)
        let changed = watched.instruments.filter { now[$0] != entries[$0] }
        guard !changed.isEmpty else { return [] }
        entries = now
        let whole = log.wantsWhole ? told(watched, watched.instruments) : nil
        return [append(told(watched, changed), whole: whole)]
    }

    /// A list with the entries of these instruments.
    private func told(_ list: StreamSources.Watched, _ ids: [InstrumentID]) -> [UInt8] {
        let items = ids.compactMap { entries[$0].map { WrittenJSON<WatchedEntry>($0) } }
        return WatchedList(id: topic.key, name: list.name, entries: items).kept
    }
}

/// A watchlist with those of its entries that are told now.
private struct WatchedList: WireBody {
    static let shape = BodyShape<WatchedList>("StreamWatchlist") {
        Field("id", \.id)
        Field("name", \.name)
        Field("entries", \.entries)
    }

    var id: String
    var name: String
    /// Each was written when it changed.
    var entries: [WrittenJSON<WatchedEntry>]
}

private struct WatchedEntry: WireBody {
    static let shape = BodyShape<WatchedEntry>("StreamWatchlistEntry") {
        Field("instrument", \.instrument)
        Field(ifPresent: "ticker", \.ticker)
    }

    var instrument: InstrumentID
    var ticker: TickerBody?
}

extension WireValue {
    /// The JSON in memory of no more than its size, since logs keep many.
    var kept: [UInt8] { json.withUnsafeBufferPointer { Array($0) } }
}
