package import AccountStore
import Channels
package import Instruments
import MarketStore
package import Store

extension Session {
    /// The channels of a user by name.
    package func channels(of user: UserID) throws(StoreError) -> [Channel] {
        try rows(
            """
            SELECT \(Channel.columns) FROM alerts.channel AS channel
            WHERE \(owner: "user_id", is: user) AND \(ChannelKind.knownRows)
            ORDER BY name
            """, Channel.init(_:))
    }

    /// One channel of a user.
    package func channel(id: UniqueID, of user: UserID) throws(StoreError) -> Channel? {
        try first(
            """
            SELECT \(Channel.columns) FROM alerts.channel AS channel
            WHERE \(owner: "user_id", is: user) AND channel_id = \(id) AND \(ChannelKind.knownRows)
            """, Channel.init(_:))
    }

    /// Keeps others from changing the channels of a user until the transaction ends.
    package func lockChannels(of user: UserID) throws(StoreError) {
        try execute(
            """
            SELECT channel_id FROM alerts.channel WHERE \(owner: "user_id", is: user)
            ORDER BY channel_id FOR NO KEY UPDATE
            """)
    }

    /// Stores a channel; one with the same key is replaced unless it is another user's, a second one of the
    /// same name refused (23505).
    package func put(_ channel: Channel) throws(StoreError) {
        try execute(
            """
            INSERT INTO alerts.channel AS old (
                channel_id, user_id, name, kind, settings, secrets, created_at, verified_at, disabled_at,
                locale, time_zone, per_minute, per_hour, quiet_from, quiet_to)
            VALUES (\(channel.id), \(channel.user), \(channel.name), \(channel.kind.rawValue),
                \(channel.settings)::text::json, \(channel.secrets.json)::text::json, \(channel.created),
                \(channel.verified), \(channel.disabled), \(channel.preferences.locale),
                \(channel.preferences.timeZone), \(Int32(clamping: channel.preferences.perMinute)),
                \(Int32(clamping: channel.preferences.perHour)),
                \(channel.preferences.quiet.map { Int16(clamping: $0.from) }),
                \(channel.preferences.quiet.map { Int16(clamping: $0.to) }))
            ON CONFLICT (channel_id) DO UPDATE SET
                name = excluded.name, kind = excluded.kind, settings = excluded.settings,
                secrets = excluded.secrets, verified_at = excluded.verified_at,
                disabled_at = excluded.disabled_at, locale = excluded.locale, time_zone = excluded.time_zone,
                per_minute = excluded.per_minute, per_hour = excluded.per_hour,
                quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to
            WHERE /*owner*/(old.user_id = excluded.user_id)/*own*/
            """)
    }

    /// Sends nothing to a channel any more, whoever's it is.
    package func disableChannel(_ id: UniqueID) throws(StoreError) {
        try execute(
            """
            UPDATE alerts.channel SET disabled_at = clock_timestamp()
            WHERE channel_id = \(id) AND disabled_at IS NULL
            """)
    }

    /// Deletes a channel, with all that waits for it or was told by it.
    func deleteChannel(_ name: String, of user: UserID) throws(StoreError) {
        try execute(
            """
            WITH gone AS (
                SELECT channel_id FROM alerts.channel WHERE \(owner: "user_id", is: user) AND name = \(name)
            ), letters AS (
                DELETE FROM alerts.outbox USING gone WHERE outbox.channel_id = gone.channel_id
            )
            DELETE FROM alerts.channel AS channel USING gone WHERE channel.channel_id = gone.channel_id
            """)
    }

    /// Makes a channel usable whose owner says the code that was sent there; false when there is no such
    /// channel, or no such code.
    ///
    /// A wrong code takes the right one away, so that nobody can try them all.
    @discardableResult
    package func verifyChannel(
        _ name: String, of user: UserID, code: String
    ) throws(StoreError) -> Bool {
        try first(
            """
            UPDATE alerts.channel SET
                verified_at = CASE WHEN code = \(code) THEN COALESCE(verified_at, clock_timestamp())
                    ELSE verified_at END,
                code = NULL
            WHERE \(owner: "user_id", is: user) AND name = \(name) AND code IS NOT NULL
            RETURNING verified_at IS NOT NULL
            """
        ) { try $0.bool() } ?? false
    }

    /// Sends a code to a channel that its owner says afterwards, see ``verifyChannel(_:of:code:)``; an
    /// earlier one counts no more.
    ///
    /// - Throws: ``StoreError``.
    package func sendCode(
        to channel: Channel, at now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(StoreError) {
        let digits = (0..<8).map { _ in String(UInt8.random(in: 0...9, using: &random)) }.joined()
        let id = UniqueID(version7At: now.nanoseconds, using: &random)
        let notice = OutboxNotice(
            .test, time: now, note: "\(digits)\nbitpal channel verify '\(channel.name)' \(digits)")
        try execute(
            """
            UPDATE alerts.channel SET code = \(digits)
            WHERE \(owner: "user_id", is: channel.user) AND name = \(channel.name)
            """)
        try execute(.addNotice(notice, id, to: channel.id))
    }
}
