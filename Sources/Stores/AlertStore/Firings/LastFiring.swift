package import AccountStore
package import Instruments
import MarketStore
package import Store

/// A firing as far as it is explained.
package struct LastFiring: Hashable, Sendable {
    /// Which firing of the rule.
    package var epoch: Int64
    /// When it happened by the venue.
    package var venueTime: Timestamp
    /// The value that fired it, plain decimal notation.
    package var price: String?
    /// The value before.
    package var previous: String?
    /// The level that was passed.
    package var level: String?
    /// The trade that fired it.
    package var tradeID: String?
    /// Nanoseconds by which it was found too late.
    package var lateBy: Int64
    /// Why, one sentence.
    package var reason: String
}

extension Session {
    /// What a rule fired on last; `nil` when it never did, or too long ago to be kept.
    package func lastFiring(of rule: UniqueID, by user: UserID) throws(StoreError) -> LastFiring? {
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
