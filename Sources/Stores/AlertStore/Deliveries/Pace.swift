package import AccountStore
package import Instruments
import MarketStore
package import Store

/// How much a user was told lately, by all channels and whichever notifier.
package struct UserPace: Hashable, Sendable {
    package var user: UserID
    /// When the hour began that is counted.
    package var hourStart: Timestamp
    /// Messages about firings since then, not negative.
    package var toldInHour = 0
    /// Until then the user knows that more is not told.
    package var quietedUntil = Timestamp.zero

    /// Nothing was told before the hour that begins then.
    package init(_ user: UserID, from hourStart: Timestamp) {
        self.user = user
        self.hourStart = hourStart
    }
}

/// How much was told by a channel lately, by whichever notifier.
package struct ChannelPace: Hashable, Sendable {
    package var channel: UniqueID
    /// When the minute began that is counted.
    package var minuteStart: Timestamp
    /// Firings told by themselves since then, not negative.
    package var toldInMinute = 0
    /// A digest of this minute is counted.
    package var hasDigest = false
    /// When the hour began that is counted.
    package var hourStart: Timestamp
    /// Messages about firings since then, not negative.
    package var toldInHour = 0

    /// Nothing was told before.
    package init(_ channel: UniqueID, from start: Timestamp) {
        self.channel = channel
        minuteStart = start
        hourStart = start
    }
}

extension Session {
    /// Reads what users were told and keeps others from counting until the transaction is over.
    package func lockPaces(of users: some Sequence<UserID>) throws(StoreError) -> [UserPace] {
        let users = Array(users)
        try execute(
            """
            INSERT INTO alerts.user_pace (user_id) SELECT * FROM unnest(\(users)::uuid[]) AS own (user_id)
            ORDER BY user_id ON CONFLICT DO NOTHING
            """)
        return try rows(
            """
            SELECT user_id, hour_start, told_in_hour, quieted_until FROM alerts.user_pace
            WHERE user_id = ANY (\(users)) ORDER BY user_id FOR NO KEY UPDATE
            """
        ) { row in
            let user = try row.user()
            var pace = UserPace(user, from: try row.nanoseconds())
            pace.toldInHour = Int(try row.int32())
            pace.quietedUntil = try row.nanoseconds()
            return pace
        }
    }

    /// Reads what was told by channels, of which the users' rows are locked.
    ///
    /// One that told nothing yet has none.
    package func paces(ofChannels channels: [UniqueID]) throws(StoreError) -> [ChannelPace] {
        try rows(
            """
            SELECT channel_id, minute_start, told_in_minute, has_digest, hour_start, told_in_hour
            FROM alerts.channel_pace WHERE channel_id = ANY (\(channels))
            """
        ) { row in
            var pace = ChannelPace(try row.uniqueID(), from: try row.nanoseconds())
            (pace.toldInMinute, pace.hasDigest) = (Int(try row.int32()), try row.bool())
            pace.hourStart = try row.nanoseconds()
            pace.toldInHour = Int(try row.int32())
            return pace
        }
    }
}

/// Statements that write what was told, which travel together.
extension Query {
    /// Writes what users were told, one of each.
    package static func putPaces(_ paces: [UserPace]) -> Query {
        """
        UPDATE alerts.user_pace AS own SET
            hour_start = told.hour_start, told_in_hour = told.told_in_hour,
            quieted_until = told.quieted_until
        FROM unnest(\(paces.map(\.user))::uuid[], \(paces.map(\.hourStart.nanoseconds))::bigint[],
                \(paces.map { Int32(clamping: $0.toldInHour) })::integer[],
                \(paces.map(\.quietedUntil.nanoseconds))::bigint[])
            AS told (user_id, hour_start, told_in_hour, quieted_until)
        WHERE own.user_id = told.user_id
        """
    }

    /// Writes what was told by channels, one of each; one that was deleted meanwhile is passed over.
    package static func putPaces(_ paces: [ChannelPace]) -> Query {
        """
        INSERT INTO alerts.channel_pace (channel_id, minute_start, told_in_minute, has_digest, hour_start,
            told_in_hour)
        SELECT told.* FROM unnest(\(paces.map(\.channel))::uuid[],
                \(paces.map(\.minuteStart.nanoseconds))::bigint[],
                \(paces.map { Int32(clamping: $0.toldInMinute) })::integer[],
                \(paces.map(\.hasDigest))::boolean[], \(paces.map(\.hourStart.nanoseconds))::bigint[],
                \(paces.map { Int32(clamping: $0.toldInHour) })::integer[])
            AS told (channel_id, minute_start, told_in_minute, has_digest, hour_start, told_in_hour)
        JOIN alerts.channel AS channel USING (channel_id)
        ORDER BY channel_id
        ON CONFLICT (channel_id) DO UPDATE SET
            minute_start = excluded.minute_start, told_in_minute = excluded.told_in_minute,
            has_digest = excluded.has_digest, hour_start = excluded.hour_start,
            told_in_hour = excluded.told_in_hour
        """
    }

    /// Notes that deliveries are counted.
    package static func countDeliveries(_ deliveries: [UniqueID]) -> Query {
        "UPDATE alerts.outbox SET counted = true WHERE delivery_id = ANY (\(deliveries))"
    }
}
