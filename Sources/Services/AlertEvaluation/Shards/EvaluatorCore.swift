import Alerting
import AlertStore
import Bus
import Instruments
import MarketData
import MarketStore
import Wire

/// Everything that an evaluator knows: shards with their engines, and how far each instrument's data is.
///
/// No socket, no database, no clock: what it wants of those it says through closures.
struct EvaluatorCore: Sendable {
    /// What the core asks of others.
    struct Requests: Sendable {
        var subscribe: @Sendable ([String]) -> Void
        var unsubscribe: @Sendable ([String]) -> Void
        var requestState: @Sendable ([String]) -> Void
        var read: @Sendable (HistoryReads.Request) -> Void
        /// A time zone by its name.
        var zone: @Sendable (String) -> ZoneOffsets?
    }

    enum Kind: Sendable {
        case trade(Int)
        case stored(Int)
        case top(Int)
        case depth(Int)
        case candle(Int, interval: Int64)
        case mark(Int)
        case derivative(Int)
        case portfolio(String)
        case index(String)
        case feed
        case other
        case unknown
    }

    struct Counts: Hashable, Sendable {
        var trades: UInt64 = 0
        var missedTrades: UInt64 = 0
        var quotes: UInt64 = 0
        var candles: UInt64 = 0
        var malformed: UInt64 = 0
        var doubts: UInt64 = 0
        /// Rules that could not be entered.
        var refusedRules: UInt64 = 0
        /// States that could not be read.
        var lostStates: UInt64 = 0
    }

    let queue: CommitQueue
    let limits: AlertLimits
    let pendingRequests: Requests
    var shards: [ShardEvaluator?] = Array(repeating: nil, count: Shard.all.count)
    var followers: [EvaluationProgress] = []
    var places: [InstrumentID: Int] = [:]
    /// Base and quote of instruments, for index prices.
    var pairs: [InstrumentID: String] = [:]
    /// Instruments that such rules are about and whose pair is not known yet.
    var lacksPair: Set<Int> = []
    /// Why each instrument is left out that the feeds do not follow.
    var unfollowed: [InstrumentID: String] = [:]
    /// Topics that several may follow, as far as they are subscribed; they stay so.
    var shared: Set<String> = []
    /// Those whose rules look at an index price, by pair.
    var indexed: [String: Set<Int>] = [:]
    /// Those whose rules look at a portfolio, by its id.
    var valued: [String: Set<Int>] = [:]
    var feeds: [Venue: VenueFeedState] = [:]
    var kinds: [Kind] = []
    /// Names of producers of which something live was heard, by number.
    var heard: [String?] = []
    /// Topics whose retained message is of a producer that was not heard yet.
    var unheard: [BusProducerIndex: Set<String>] = [:]
    var counts = Counts()
    /// Candles that could not be read.
    var cold: [HistoryReads.Request] = []
    /// Places that are free for another instrument.
    var free: [Int] = []
    /// Tells readings of one instrument at a place from those of the one before.
    var nextGeneration: UInt64 = 0
    private(set) var isSynchronized = false
    /// Subscriptions were added that the broker has not confirmed.
    var awaitsConfirmation = false
    /// Nothing is evaluated any more, and no shard begun.
    private(set) var isStopped = false

    init(queue: CommitQueue, limits: AlertLimits, pendingRequests: Requests) {
        self.queue = queue
        self.limits = limits
        self.pendingRequests = pendingRequests
    }

    /// What came over the bus, in its order.
    mutating func take(_ batch: BusBatch, at now: Timestamp) {
        for event in batch.events {
            switch event {
            case .message(let message): take(message, batch, now)
            case .gap(let gap): take(gap, batch, now)
            case .producerSilent(let name): lose(producer: name, "\(name) is silent", now)
            case .producerRestarted(let name, _): lose(producer: name, "\(name) started again", now)
            case .busSilent: loseEverything("the bus is silent", now)
            case .synchronized: synchronize(now)
            case .forgotten(let gone): forget(gone, now)
            case .overflow, .producerBack, .stateAnswered: break
            }
        }
        flush(at: now)
    }

    /// Hands everything that was decided over to be committed.
    mutating func flush(at now: Timestamp) {
        for place in shards.indices where shards[place]?.hasNews == true { commit(place, at: now) }
    }

    /// Hands over what is known of shards that changed, where nothing else waits.
    mutating func checkpoint(at now: Timestamp) {
        for place in shards.indices {
            let shard = Shard(rawValue: UInt8(place))
            guard shards[place]?.isDirty == true, queue.isIdle(shard) else { continue }
            commit(place, at: now)
        }
    }

    /// Hands over everything that is known: the last time.
    mutating func stop(at now: Timestamp) {
        isStopped = true
        flush(at: now)
        for place in shards.indices where shards[place]?.isDirty == true { commit(place, at: now) }
    }

    private mutating func commit(_ place: Int, at now: Timestamp) {
        guard let steps = shards[place]?.takeSteps(at: now), let shard = shards[place] else { return }
        var state = shard.engine.state()
        state.tapes = shard.followers.compactMap { followers[$0].tape }
        shards[place]?.isDirty = false
        if !queue.offer(shard.shard, state: state.bytes, ruleChange: shard.ruleChange, steps: steps) {
            // Its lease is still held: the next round reads it again.
            drop(shard.shard)
        }
    }

    /// The broker confirmed the subscriptions.
    ///
    /// Unasked it does so after the bus was away: what was said meanwhile is missing, and no number tells of
    /// it on a topic where none was seen before.
    private mutating func synchronize(_ now: Timestamp) {
        if isSynchronized, !awaitsConfirmation { loseEverything("the bus was away", now) }
        isSynchronized = true
        awaitsConfirmation = false
        for index in followers.indices { followers[index].isSynchronized = true }
    }

    // MARK: - Time

    /// Lets time act; called ten times a second.
    mutating func tick(at now: Timestamp) {
        for (venue, feed) in feeds
        where feed.isLive && now.nanoseconds(since: feed.heard) > VenueFeedState.patience {
            feeds[venue]?.isLive = false
            feeds[venue]?.reason = "the feed says nothing any more"
            lose(venue, "the feed says nothing any more", now)
        }
        readCold()
        for index in followers.indices where !followers[index].rules.isEmpty {
            let follower = followers[index]
            var venueTime: Timestamp?
            if follower.phase == .live && follower.time != nil || !follower.id.isTraded {
                // A second later, so that a trade that ends a condition has time to come.
                venueTime = now.adding(nanoseconds: follower.clockOffset - 1_000_000_000)
            } else {
                readTape(index, at: now)
            }
            if now.nanoseconds(since: follower.since) > VenueFeedState.patience { doubtSilent(index, now) }
            let isFollowed = isFollowed(follower.id)
            shards[follower.shard]?.advance(
                follower.market, of: follower.id, isFollowed: isFollowed, venueTime: venueTime, now: now)
        }
        flush(at: now)
    }

    /// Says of what was never judged since it is watched that it cannot be believed.
    private mutating func doubtSilent(_ index: Int, _ now: Timestamp) {
        let follower = followers[index]
        for source in AlertSource.allCases {
            guard shards[follower.shard]?.engine.isJudged(source, of: follower.market) == false else {
                continue
            }
            let feed = feeds[follower.id.venue]?.reason ?? "the feed has not said anything yet"
            let reason =
                switch (source, follower.id.venue) {
                case (.trades, _): words(feed, of: index)
                case (.book, _): words("no best prices are said", of: index)
                case (.mark, _): words("no mark price is said", of: index)
                case (.derivative, _): words("nothing is said of its funding and open interest", of: index)
                case (.reference, .portfolio): "nothing is said of its worth"
                case (.reference, _) where follower.id.symbol == "*": feed
                case (.reference, _): "no index price is said"
                }
            shards[follower.shard]?.doubt(
                source, follower.market, reason.isEmpty ? "stored trades are read" : reason, at: now)
        }
    }
}

extension [ShardEvaluator?] {
    /// The place of a shard in an array of all.
    subscript(shard: Shard) -> ShardEvaluator? {
        get { self[Int(shard.rawValue)] }
        _modify { yield &self[Int(shard.rawValue)] }
    }
}
