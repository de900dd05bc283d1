public import AccountStore
import Instruments
public import Store

/// The channels of a user by name.
public struct ListChannels: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(ChannelColumns.list) FROM alerts.channel AS channel
        WHERE \(OwnerPredicate.sql("user_id = $1"))
        ORDER BY name
        """

    private let user: UserID

    /// Names the user.
    public init(of user: UserID) { self.user = user }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    /// Reads a channel.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Channel {
        try ChannelColumns.read(&row)
    }
}

/// Keeps others from changing the channels of a user until the transaction ends.
public struct LockChannels: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT channel_id FROM alerts.channel WHERE \(OwnerPredicate.sql("user_id = $1"))
        ORDER BY channel_id FOR NO KEY UPDATE
        """

    private let user: UserID

    /// Names the user.
    public init(of user: UserID) { self.user = user }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    /// Reads the key of a channel.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> UniqueID { try row.uniqueID() }
}

/// Stores a channel; one with the same key is replaced, a second one of the same name refused (23505).
///
/// `execute` returns 1, or 0 when the key is another user's.
public struct PutChannel: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO alerts.channel AS old (
            channel_id, user_id, name, kind, settings, secrets, created_at, verified_at, disabled_at, locale,
            time_zone, per_minute, per_hour, quiet_from, quiet_to)
        VALUES ($1, $2, $3, $4, $5::text::json, $6::text::json, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        ON CONFLICT (channel_id) DO UPDATE SET
            name = excluded.name, kind = excluded.kind, settings = excluded.settings,
            secrets = excluded.secrets, verified_at = excluded.verified_at,
            disabled_at = excluded.disabled_at, locale = excluded.locale, time_zone = excluded.time_zone,
            per_minute = excluded.per_minute, per_hour = excluded.per_hour,
            quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to
        WHERE \(OwnerPredicate.sql("old.user_id = excluded.user_id"))
        """

    private let channel: Channel

    /// Takes a channel.
    public init(_ channel: Channel) { self.channel = channel }

    /// Appends one parameter per column.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(channel.id)
        parameters.append(channel.user.rawValue)
        parameters.append(channel.name)
        parameters.append(channel.kind.rawValue)
        parameters.append(channel.settings)
        parameters.append(channel.secrets.json)
        parameters.append(timestamp: channel.created.nanoseconds)
        parameters.append(timestamp: channel.verified?.nanoseconds)
        parameters.append(timestamp: channel.disabled?.nanoseconds)
        parameters.append(channel.manners.locale)
        parameters.append(channel.manners.timeZone)
        parameters.append(Int32(clamping: channel.manners.perMinute))
        parameters.append(Int32(clamping: channel.manners.perHour))
        parameters.append(channel.manners.quiet.map { Int16(clamping: $0.from) })
        parameters.append(channel.manners.quiet.map { Int16(clamping: $0.to) })
    }
}

/// One channel of a user.
public struct FindChannel: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(ChannelColumns.list) FROM alerts.channel AS channel
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND (name = $2 OR channel_id = $3)
        """

    private let name: String?
    private let id: UniqueID?
    private let user: UserID

    /// By its name.
    public init(_ name: String, of user: UserID) {
        self.name = name
        id = nil
        self.user = user
    }

    /// By its key.
    public init(id: UniqueID, of user: UserID) {
        name = nil
        self.id = id
        self.user = user
    }

    /// Appends the user and one of the two.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(name)
        parameters.append(id)
    }

    /// Reads the channel.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Channel {
        try ChannelColumns.read(&row)
    }
}

/// Removes a channel with all that waits for it, or was told by it.
///
/// `execute` returns 1, or 0 when there is none.
struct RemoveChannel: Statement {
    typealias Row = Void

    static let sql = """
        WITH gone AS (
            SELECT channel_id FROM alerts.channel WHERE \(OwnerPredicate.sql("user_id = $1")) AND name = $2
        ), letters AS (
            DELETE FROM alerts.outbox USING gone WHERE outbox.channel_id = gone.channel_id
        )
        DELETE FROM alerts.channel AS channel USING gone WHERE channel.channel_id = gone.channel_id
        """

    let name: String
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(name)
    }
}
