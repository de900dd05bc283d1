import Instruments
import Venues

/// Trades that wait for PostgreSQL, oldest first, with a bound.
///
/// It decides what is given up when the bound is reached: the newest, and of the instrument everything after
/// them until it is resumed. So no trade is stored behind a hole, and the newest stored one says where to
/// begin again, also to a process that is killed meanwhile.
struct TradeBacklog: Sendable {
    /// How many may wait.
    let maximum: Int
    /// Trades refused so far.
    private(set) var refused: UInt64 = 0
    /// The most that ever waited.
    private(set) var highWater = 0

    private var trades: [QueuedTrade] = []
    private var head = 0
    private var waiting: [Venue: Int] = [:]
    /// The last trade of each instrument that was taken.
    private var taken: [InstrumentID: TradeMark] = [:]
    private var holes: [InstrumentID: TradeHole] = [:]
    private var untold: Set<InstrumentID> = []

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

    /// Adds trades at the end; returns how many were refused.
    mutating func append(_ new: [QueuedTrade]) -> Int {
        var surplus = 0
        for trade in new where !take(trade) { surplus += 1 }
        refused &+= UInt64(surplus)
        highWater = max(highWater, count)
        return surplus
    }

    /// The oldest trades, at most `limit`.
    mutating func take(_ limit: Int) -> [QueuedTrade] {
        let end = min(trades.count, head + limit)
        let taken = Array(trades[head..<end])
        head = end
        for trade in taken { waiting[trade.instrument.venue, default: 0] -= 1 }
        compact()
        return taken
    }

    /// Where trades were refused since the last call; they go on being refused until ``resume(_:)``.
    mutating func takeHoles() -> [TradeHole] {
        let told = untold.compactMap { holes[$0] }.sorted { $0.instrument < $1.instrument }
        untold.removeAll()
        return told
    }

    /// Takes trades of the instrument again: whoever resumes it sees to what is missing before them.
    mutating func resume(_ instrument: InstrumentID) {
        holes[instrument] = nil
        untold.remove(instrument)
    }

    private mutating func take(_ trade: QueuedTrade) -> Bool {
        if holes[trade.instrument] != nil { return false }
        guard count < maximum else {
            holes[trade.instrument] = TradeHole(instrument: trade.instrument, after: taken[trade.instrument])
            untold.insert(trade.instrument)
            return false
        }
        trades.append(trade)
        waiting[trade.instrument.venue, default: 0] += 1
        taken[trade.instrument] = trade.mark
        return true
    }

    private mutating func compact() {
        guard head > 1_024, head * 2 > trades.count else { return }
        trades.removeFirst(head)
        head = 0
    }
}
