public import AccountStore
public import Store

/// How many firings a channel has told since its owner last looked, with those that are being told now.
public struct UnseenFirings: Statement {
    /// No more are counted.
    public static let limit = 999

    /// The statement's text.
    public static let sql = """
        SELECT count(*) FROM (
            SELECT FROM alerts.outbox AS outbox
            JOIN alerts.channel AS channel USING (channel_id)
            WHERE outbox.channel_id = $1 AND outbox.epoch IS NOT NULL
                AND outbox.created_at > COALESCE(channel.seen_at, channel.created_at)
                AND (outbox.state IN ('delivered', 'gathered') OR outbox.claimed_by IS NOT NULL)
            LIMIT \(limit)
        ) AS unseen
        """

    private let channel: UniqueID

    /// Names the channel.
    public init(of channel: UniqueID) { self.channel = channel }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(channel) }

    /// Reads the number.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

/// A user has looked at alerts: numbers on icons begin again; `execute` returns how many channels there are.
public struct SeeFirings: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = "UPDATE alerts.channel SET seen_at = clock_timestamp() WHERE user_id = $1"

    private let user: UserID

    /// Names the user.
    public init(of user: UserID) { self.user = user }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }
}
