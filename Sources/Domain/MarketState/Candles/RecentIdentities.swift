import Instruments
import MarketData

/// The identities of the newest trades of an instrument, in bounded memory.
struct RecentIdentities: Sendable {
    enum Verdict {
        case new
        case duplicate
        /// Not later than a trade that was forgotten, so it may be that one.
        case unknown
    }

    private struct Identity: Hashable {
        var id: String
        /// The id space is part of the identity.
        var isAggregate: Bool
    }

    private let limit: Int
    private var known: Set<Identity> = []
    private var ring: [(identity: Identity, time: Timestamp)] = []
    private var next = 0
    /// The latest time of a trade that was forgotten.
    private var horizon: Timestamp?

    init(limit: Int) { self.limit = limit }

    /// Says that trades before an instant may have been seen.
    mutating func forget(before time: Timestamp) {
        let last = time.adding(nanoseconds: -1)
        horizon = max(horizon ?? last, last)
    }

    /// Judges a trade and, if it is new, remembers it.
    mutating func insert(_ trade: Trade) -> Verdict {
        let identity = Identity(id: trade.id, isAggregate: trade.isAggregate)
        guard known.insert(identity).inserted else { return .duplicate }
        if let horizon, trade.venueTime <= horizon {
            known.remove(identity)
            return .unknown
        }
        guard ring.count == limit else {
            ring.append((identity, trade.venueTime))
            return .new
        }
        let forgotten = ring[next]
        known.remove(forgotten.identity)
        horizon = max(horizon ?? forgotten.time, forgotten.time)
        ring[next] = (identity, trade.venueTime)
        next = (next + 1) % limit
        return .new
    }
}
