import Channels
import MarketStore
package import Store

extension Database {
    /// Claims deliveries that are due, the longest due first, and reads them; what others are claiming now is
    /// passed over.
    ///
    /// A claim is over when its time is: then the next one gets the delivery. So a delivery whose sender dies
    /// is told again, perhaps for a second time, with the same ``Delivery/id``.
    ///
    /// No transaction stays open while something is sent. Whether the disk has a claim is not waited for: a
    /// server that forgets one has it claimed again.
    ///
    /// - Parameters:
    ///   - claimant: A name that no other process ever has.
    ///   - limit: At most so many.
    ///   - duration: For how long, a millisecond to a day: longer than an attempt takes at most.
    ///   - excluded: Channels that can take no more now.
    /// - Returns: What is to be told, the longest due first.
    /// - Throws: ``StoreError``; nothing is claimed then, unless the outcome is unknown.
    package func claim(
        by claimant: String, limit: Int, for duration: Duration, except excluded: [UniqueID] = []
    ) async throws(StoreError) -> [Delivery] {
        let bounded = min(max(duration, .milliseconds(1)), .seconds(86_400)).components
        let microseconds = bounded.seconds * 1_000_000 + bounded.attoseconds / 1_000_000_000_000
        return try await transaction(.undurable) { session in
            let ids = try session.rows(
                """
                SELECT delivery_id
                FROM alerts.claim(\(claimant), \(Int32(clamping: limit)), \(microseconds), \(excluded))
                """
            ) { try $0.uniqueID() }
            // A statement after the one that claims: that one claims what was stored since it began, and
            // would not see the firings of it.
            return ids.isEmpty ? [] : try session.claimed(ids, by: claimant)
        }
    }
}

extension Session {
    /// What was just claimed, with all that telling it needs, in the order of the keys.
    fileprivate func claimed(_ ids: [UniqueID], by claimant: String) throws(StoreError) -> [Delivery] {
        try rows(
            """
            SELECT claimed.delivery_id, claimed.attempts, claimed.claimed_by, claimed.failures, claimed.held,
                claimed.created_at, claimed.counted, \(OutboxNotice.columns), \(Channel.toldColumns),
                \(DeliveredFiring.columns)
            FROM unnest(\(ids)::uuid[]) WITH ORDINALITY AS due (delivery_id, place)
            JOIN alerts.outbox AS claimed USING (delivery_id)
            JOIN alerts.channel AS channel USING (channel_id)
            LEFT JOIN accounts.setting AS setting ON setting.user_id = channel.user_id
            LEFT JOIN alerts.firing AS firing USING (rule_id, epoch)
            LEFT JOIN alerts.rule AS rule ON rule.rule_id = claimed.rule_id
            -- Of a channel that was disabled since, or of a newer version's kind, the claim is left to end.
            WHERE claimed.claimed_by = \(claimant) AND channel.disabled_at IS NULL
                AND \(ChannelKind.knownRows)
            ORDER BY due.place
            """, Delivery.init)
    }
}

extension Delivery {
    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        let (id, attempt, claimant) = (try row.uniqueID(), try row.int32(), try row.text())
        let (failures, isHeld, created) = (try row.int32(), try row.bool(), try row.time())
        let isCounted = try row.bool()
        let notice = try OutboxNotice(&row)
        let channel = try Channel(told: &row)
        let firing = try DeliveredFiring(&row)
        guard let subject = notice.map(Subject.notice) ?? firing.map(Subject.firing) else {
            throw row.refusal()
        }
        self.init(
            id: id, attempt: attempt, claimant: claimant, failures: failures, isHeld: isHeld,
            isCounted: isCounted, created: created, channel: channel, subject: subject)
    }
}
