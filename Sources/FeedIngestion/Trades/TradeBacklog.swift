import Instruments
import Venues

/// Trades that wait for PostgreSQL, oldest first, with a bound.
///
/// It decides what is given up when the bound is reached: the oldest, and it remembers after which trade of
/// each instrument the hole begins, so that the venue can be asked for them later.
struct TradeBacklog: Sendable {
    /// How many may wait.
    let maximum: Int
    /// Trades given up so far.
    private(set) var dropped: UInt64 = 0
    /// The most that ever waited.
    private(set) var highWater = 0

    private var trades: [QueuedTrade] = []
    private var head = 0
    private var waiting: [Venue: Int] = [:]
    /// The last trade of each instrument that was handed out to be stored.
    private var handedOut: [InstrumentID: TradeMark] = [:]
    private var holes: [InstrumentID: TradeHole] = [:]

    /// - Precondition: `maximum` is at least 1.
    init(maximum: Int) {
        precondition(maximum >= 1, "a backlog holds at least one trade")
        self.maximum = maximum
    }

    /// Trades that wait.
    var count: Int { trades.count - head }

    /// Whether there is nothing to store.
    var isEmpty: Bool { count == 0 }

    /// Trades of one venue that wait.
    func count(of venue: Venue) -> Int { waiting[venue, default: 0] }

    /// Adds trades at the end; returns how many old ones were given up for them.
    mutating func append(_ new: [QueuedTrade]) -> Int {
        for trade in new { waiting[trade.instrument.venue, default: 0] += 1 }
        trades.append(contentsOf: new)
        let surplus = max(0, count - maximum)
        for _ in 0..<surplus { giveUp() }
        highWater = max(highWater, count)
        compact()
        return surplus
    }

    /// The oldest trades, at most `limit`.
    mutating func take(_ limit: Int) -> [QueuedTrade] {
        let end = min(trades.count, head + limit)
        let taken = Array(trades[head..<end])
        head = end
        for trade in taken {
            waiting[trade.instrument.venue, default: 0] -= 1
            handedOut[trade.instrument] = trade.mark
        }
        compact()
        return taken
    }

    /// Hands out the holes and forgets them: whoever takes them fetches the trades again.
    mutating func takeHoles() -> [TradeHole] {
        let taken = holes.values.sorted { $0.instrument < $1.instrument }
        holes.removeAll()
        return taken
    }

    private mutating func giveUp() {
        let trade = trades[head]
        head += 1
        dropped &+= 1
        waiting[trade.instrument.venue, default: 0] -= 1
        // The first loss since the last time says where the hole begins; the later ones lie in it.
        if holes[trade.instrument] == nil {
            holes[trade.instrument] = TradeHole(
                instrument: trade.instrument, after: handedOut[trade.instrument])
        }
    }

    private mutating func compact() {
        guard head > 1_024, head * 2 > trades.count else { return }
        trades.removeFirst(head)
        head = 0
    }
}
