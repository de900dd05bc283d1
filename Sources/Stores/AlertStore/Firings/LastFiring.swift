public import AccountStore
public import Instruments
import MarketStore
public import Store

/// A firing as far as it is explained.
public struct LastFiring: Hashable, Sendable {
    /// Which firing of the rule.
    public var epoch: Int64
    /// When it happened by the venue.
    public var venueTime: Timestamp
    /// The value that fired it, plain decimal notation.
    public var price: String?
    /// The value before.
    public var previous: String?
    /// The level that was passed.
    public var level: String?
    /// The trade that fired it.
    public var tradeID: String?
    /// Nanoseconds by which it was found too late.
    public var lateBy: Int64
    /// Why, one sentence.
    public var reason: String
}

extension Session {
    /// What a rule fired on last; `nil` when it never did.
    public func lastFiring(of rule: UniqueID, by user: UserID) throws(StoreError) -> LastFiring? {
        try first(
            """
            SELECT epoch, venue_time, price, previous, level, trade_id, late_by, reason FROM alerts.firing
            WHERE rule_id = \(rule) AND kind = 'fired' AND \(owner: "user_id", is: user)
            ORDER BY epoch DESC LIMIT 1
            """
        ) { row in
            LastFiring(
                epoch: try row.int64(), venueTime: try row.nanoseconds(),
                price: try row.numericOrNil()?.description, previous: try row.numericOrNil()?.description,
                level: try row.numericOrNil()?.description, tradeID: try row.textOrNil(),
                lateBy: try row.int64(), reason: try row.text())
        }
    }
}
