package import AccountStore
package import Instruments
import MarketStore
package import Store

/// A place in the list of firings.
package struct FiringCursor: Hashable, Sendable {
    /// When it was stored.
    package var time: Timestamp
    package var rule: UniqueID
    /// Which firing of it.
    package var epoch: Int64

    package init(time: Timestamp, rule: UniqueID, epoch: Int64) {
        self.time = time
        self.rule = rule
        self.epoch = epoch
    }
}

extension Session {
    /// What the rules of a user told, newest first.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - rule: Which rule; `nil` for any.
    ///   - kind: What it told; `nil` for anything.
    ///   - last: The place of the last one that is known, to go on after it.
    ///   - limit: At most so many.
    /// - Returns: The firings.
    /// - Throws: ``StoreError``.
    package func firings(
        of user: UserID, rule: UniqueID? = nil, kind: FiringKind? = nil, before last: FiringCursor? = nil,
        limit: Int
    ) throws(StoreError) -> [DeliveredFiring] {
        try rows(
            """
            SELECT \(DeliveredFiring.columns)
            FROM alerts.firing AS firing
            JOIN alerts.rule AS rule USING (rule_id)
            WHERE \(owner: "firing.user_id", is: user)
                AND (\(rule)::uuid IS NULL OR firing.rule_id = \(rule))
                AND (\(kind?.rawValue)::text IS NULL OR firing.kind = \(kind?.rawValue))
                AND (\(last?.time)::timestamptz IS NULL OR (firing.fired_at, firing.rule_id, firing.epoch)
                    < (\(last?.time), \(last?.rule), \(last?.epoch)))
            ORDER BY firing.fired_at DESC, firing.rule_id DESC, firing.epoch DESC
            LIMIT \(Int32(clamping: limit))
            """
        ) { row in
            guard let firing = try DeliveredFiring(&row) else { throw row.refusal() }
            return firing
        }
    }

    /// How often rules of a user fired since a moment, tests and notices left out.
    package func firingCount(of user: UserID, since time: Timestamp) throws(StoreError) -> Int64 {
        try first(
            """
            SELECT count(*) FROM alerts.firing
            WHERE \(owner: "user_id", is: user) AND kind = 'fired' AND fired_at > \(time)
            """
        ) { try $0.int64() } ?? 0
    }
}
