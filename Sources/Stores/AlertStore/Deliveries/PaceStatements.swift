public import AccountStore
import Instruments
public import Store

/// Makes sure that users have a row of what they were told; `execute` returns how many had none.
public struct AddUserPaces: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO alerts.user_pace (user_id) SELECT * FROM unnest($1::uuid[]) AS own (user_id)
        ORDER BY user_id ON CONFLICT DO NOTHING
        """

    private let users: [UniqueID]

    /// Names the users.
    public init(of users: some Sequence<UserID>) { self.users = users.map(\.rawValue) }

    /// Appends the keys.
    public func bind(_ parameters: inout Parameters) { parameters.append(users) }
}

/// Reads what users were told and keeps others from counting until the transaction is over.
public struct LockUserPaces: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT user_id, hour_start, told_in_hour, quieted_until FROM alerts.user_pace
        WHERE user_id = ANY ($1) ORDER BY user_id FOR NO KEY UPDATE
        """

    private let users: [UniqueID]

    /// Names the users.
    public init(of users: some Sequence<UserID>) { self.users = users.map(\.rawValue) }

    /// Appends the keys.
    public func bind(_ parameters: inout Parameters) { parameters.append(users) }

    /// Reads a pace.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> UserPace {
        let user = UserID(rawValue: try row.uniqueID())
        var pace = UserPace(user, from: Timestamp(nanoseconds: try row.int64()))
        pace.toldInHour = Int(try row.int32())
        pace.quietedUntil = Timestamp(nanoseconds: try row.int64())
        return pace
    }
}

/// Reads what was told by channels, of which the users' rows are locked.
///
/// One that told nothing yet has no row.
public struct ListChannelPaces: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT channel_id, minute_start, told_in_minute, has_digest, hour_start, told_in_hour
        FROM alerts.channel_pace WHERE channel_id = ANY ($1)
        """

    private let channels: [UniqueID]

    /// Names the channels.
    public init(of channels: [UniqueID]) { self.channels = channels }

    /// Appends the keys.
    public func bind(_ parameters: inout Parameters) { parameters.append(channels) }

    /// Reads a pace.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> ChannelPace {
        var pace = ChannelPace(try row.uniqueID(), from: Timestamp(nanoseconds: try row.int64()))
        (pace.toldInMinute, pace.hasDigest) = (Int(try row.int32()), try row.bool())
        pace.hourStart = Timestamp(nanoseconds: try row.int64())
        pace.toldInHour = Int(try row.int32())
        return pace
    }
}

/// Writes what users were told; `execute` returns how many there are.
public struct PutUserPaces: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.user_pace AS own SET
            hour_start = told.hour_start, told_in_hour = told.told_in_hour,
            quieted_until = told.quieted_until
        FROM unnest($1::uuid[], $2::bigint[], $3::integer[], $4::bigint[])
            AS told (user_id, hour_start, told_in_hour, quieted_until)
        WHERE own.user_id = told.user_id
        """

    private let paces: [UserPace]

    /// Takes one of each user.
    public init(_ paces: [UserPace]) { self.paces = paces }

    /// Appends an array a column.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(paces.map(\.user.rawValue))
        parameters.append(paces.map(\.hourStart.nanoseconds))
        parameters.append(paces.map { Int32(clamping: $0.toldInHour) })
        parameters.append(paces.map(\.quietedUntil.nanoseconds))
    }
}

/// Writes what was told by channels; one that was deleted meanwhile is passed over.
public struct PutChannelPaces: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO alerts.channel_pace (channel_id, minute_start, told_in_minute, has_digest, hour_start,
            told_in_hour)
        SELECT told.* FROM unnest($1::uuid[], $2::bigint[], $3::integer[], $4::boolean[], $5::bigint[],
            $6::integer[])
            AS told (channel_id, minute_start, told_in_minute, has_digest, hour_start, told_in_hour)
        JOIN alerts.channel AS channel USING (channel_id)
        ORDER BY channel_id
        ON CONFLICT (channel_id) DO UPDATE SET
            minute_start = excluded.minute_start, told_in_minute = excluded.told_in_minute,
            has_digest = excluded.has_digest, hour_start = excluded.hour_start,
            told_in_hour = excluded.told_in_hour
        """

    private let paces: [ChannelPace]

    /// Takes one of each channel.
    public init(_ paces: [ChannelPace]) { self.paces = paces }

    /// Appends an array a column.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(paces.map(\.channel))
        parameters.append(paces.map(\.minuteStart.nanoseconds))
        parameters.append(paces.map { Int32(clamping: $0.toldInMinute) })
        parameters.append(paces.map(\.hasDigest))
        parameters.append(paces.map(\.hourStart.nanoseconds))
        parameters.append(paces.map { Int32(clamping: $0.toldInHour) })
    }
}

/// Notes that deliveries are counted; `execute` returns how many there are.
public struct CountDeliveries: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = "UPDATE alerts.outbox SET counted = true WHERE delivery_id = ANY ($1)"

    private let ids: [UniqueID]

    /// Names the deliveries.
    public init(_ ids: [UniqueID]) { self.ids = ids }

    /// Appends the keys.
    public func bind(_ parameters: inout Parameters) { parameters.append(ids) }
}
