import Instruments
import MarketData

/// Stored trades that were read before the bus brought them.
///
/// A trade is said first and stored then, but who reads what is stored may be ahead of what was said: what is
/// under way still would be evaluated a second time. A feed says its trades in the order in which it received
/// them, so that only those can be under way that it received after the last thing that is known to have
/// arrived.
struct OvertakenTrades: Sendable {
    private var ids: Set<String> = []
    /// When the last of them was received by the feed.
    private var last = Timestamp(nanoseconds: .min)
    /// What was received earlier has arrived.
    private var from = Timestamp(nanoseconds: .max)
    /// More could be under way than are remembered: only what arrives from now on says that they have come.
    private(set) var isFull = false

    static let limit = 50_000
    /// How much earlier than it is said a trade may have been received, in nanoseconds.
    private static let slack: Int64 = 10_000_000_000

    /// The stored tape is read from now on.
    ///
    /// - Parameter time: When something was said, or received, that has arrived.
    mutating func begin(after time: Timestamp) {
        if isFull { forget() }
        if ids.isEmpty { from = time.adding(nanoseconds: -Self.slack) }
    }

    /// A stored trade was read.
    mutating func note(_ trade: Trade) {
        guard trade.receivedTime >= from else { return }
        guard ids.count < Self.limit else {
            isFull = true
            return
        }
        ids.insert(trade.id)
        last = max(last, trade.receivedTime)
    }

    /// Whether a trade that arrives was read before.
    mutating func take(_ trade: Trade) -> Bool {
        guard !ids.isEmpty else { return false }
        if ids.remove(trade.id) != nil { return true }
        // Behind this one nothing is under way that was read.
        if trade.receivedTime > last { forget() }
        return false
    }

    /// What was under way is lost, or has arrived.
    mutating func forget() {
        ids.removeAll()
        last = Timestamp(nanoseconds: .min)
        isFull = false
    }
}
