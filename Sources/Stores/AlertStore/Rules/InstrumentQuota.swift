package import AccountStore
import Instruments
import MarketStore
package import Store

/// How many instruments a user may make the feeds follow, by watchlists and rules together.
///
/// Made before a change and checked after it, in the same transaction: what grows past the limit is refused,
/// and who is past it, since the limit was another one, may go on and remove. What a portfolio holds does not
/// count: a ledger says what is owned, not what is wished for.
package struct InstrumentQuota {
    private let limit: Int
    private let user: UserID
    private let before: Int

    /// Counts what the user has; two changes of one user wait for each other here.
    ///
    /// Inside a transaction only.
    package init(
        _ limit: Int, of user: UserID, in session: borrowing Session
    ) throws(StoreError) {
        try session.lockUser(user)
        self.limit = limit
        self.user = user
        before = try session.countFollowed(for: user)
    }

    /// Refuses what has grown past the limit.
    ///
    /// - Throws: ``StoreError``; `FieldFault` as its ``StoreError/bodyError``.
    package func check(in session: borrowing Session) throws(StoreError) {
        let count = try session.countFollowed(for: user)
        guard count > limit, count > before else { return }
        throw .body(
            FieldFault(
                "instrument", "\(count) instruments",
                accepted: "at most \(limit) that your watchlists and enabled rules are about together, and "
                    + "\(before) are; remove some"))
    }
}

extension Session {
    /// How many instruments the feeds follow for a user's watchlists and rules.
    fileprivate func countFollowed(for user: UserID) throws(StoreError) -> Int {
        let rules = try rows(
            """
            SELECT rule_id FROM alerts.rule
            WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL AND enabled AND done_at IS NULL
            """
        ) { try $0.uniqueID() }.map { "alert:\($0)" }
        let lists = try watchlists(of: user).map { "watchlist:\($0.id)" }
        return try countWanted(by: lists + rules)
    }
}
