package import AccountStore
package import Store

extension Session {
    /// How many firings a channel has told since its owner last looked, with those that are being told now;
    /// no more than 999 are counted.
    package func unseenFirings(of channel: UniqueID) throws(StoreError) -> Int {
        try first(
            """
            SELECT count(*) FROM (
                SELECT FROM alerts.outbox AS outbox
                JOIN alerts.channel AS channel USING (channel_id)
                WHERE outbox.channel_id = \(channel) AND outbox.epoch IS NOT NULL
                    AND outbox.created_at > COALESCE(channel.seen_at, channel.created_at)
                    AND (outbox.state IN ('delivered', 'gathered') OR outbox.claimed_by IS NOT NULL)
                LIMIT 999
            ) AS unseen
            """
        ) { Int(try $0.int64()) } ?? 0
    }

    /// A user has looked at alerts: numbers on icons begin again.
    package func seeFirings(of user: UserID) throws(StoreError) {
        try execute("UPDATE alerts.channel SET seen_at = clock_timestamp() WHERE user_id = \(user)")
    }
}
