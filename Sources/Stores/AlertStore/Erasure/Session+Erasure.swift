package import AccountStore
package import Instruments
import MarketStore
package import Store

extension Session {
    /// Erases all rules and channels of a user with everything that they did; whoever evaluates is told.
    ///
    /// Between `beginErasure(of:)` and `endErasure(of:)` only.
    ///
    /// - Throws: ``StoreError``.
    package func eraseAlerts(of user: UserID, at now: Timestamp) throws(StoreError) {
        let change = try nextChange()
        let rules = try rows("SELECT rule_id FROM alerts.rule WHERE user_id = \(user)") { try $0.uniqueID() }
        try removeSubscriptions(wantedBy: rules.map { "alert:\($0)" })
        // One statement, at whose end nothing refers to anything that is gone.
        try execute(
            """
            WITH deliveries AS (
                DELETE FROM alerts.outbox WHERE channel_id IN (
                    SELECT channel_id FROM alerts.channel WHERE user_id = \(user))
            ), events AS (
                DELETE FROM alerts.rule_event WHERE rule_id IN (
                    SELECT rule_id FROM alerts.rule WHERE user_id = \(user))
            ), firings AS (DELETE FROM alerts.firing WHERE user_id = \(user))
            DELETE FROM alerts.channel WHERE user_id = \(user)
            """)
        try emptyRules(of: user, change: change, at: now)
    }

    /// Leaves of each rule its key and that it is no more, for who evaluates it learns of changes by their
    /// numbers: nobody's from now on, about nothing, and never shown.
    private func emptyRules(of user: UserID, change: Int64, at now: Timestamp) throws(StoreError) {
        try execute(
            """
            UPDATE alerts.rule SET
                user_id = \(UserID.localOperator), venue = NULL, symbol = NULL, channels = '{}',
                enabled = false, state = NULL, epoch = 0, firings_removed = 0, version = version + 1,
                change = \(change),
                done_at = NULL, created_at = \(now), updated_at = \(now), deleted_at = \(now),
                rule = json_build_object(
                    'id', rule_id, 'instrument', 'erased:ERASED', 'condition', json_build_object(
                        'price', 'last', 'crosses', 'above', 'level', '1'))
            WHERE user_id = \(user)
            """)
    }
}
