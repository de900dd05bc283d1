public import Store

/// Puts something that no rule fired into the outbox of one channel, once for each key.
///
/// `execute` returns 1, or 0 when the key is there already.
public struct AddNotice: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO alerts.outbox (delivery_id, channel_id, notice)
        VALUES ($1, $2, \(NoticeColumns.value(from: 3)))
        ON CONFLICT (delivery_id) DO NOTHING
        """

    private let id: UniqueID
    private let channel: UniqueID
    private let notice: OutboxNotice

    /// Takes the key, where to and what.
    public init(_ id: UniqueID, to channel: UniqueID, notice: OutboxNotice) {
        self.id = id
        self.channel = channel
        self.notice = notice
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(channel)
        NoticeColumns.bind(notice, &parameters)
    }
}

/// Sends nothing to a channel any more; `execute` returns 1, or 0 when it was so already.
public struct DisableChannel: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.channel SET disabled_at = clock_timestamp()
        WHERE channel_id = $1 AND disabled_at IS NULL
        """

    private let channel: UniqueID

    /// Names the channel.
    public init(_ channel: UniqueID) { self.channel = channel }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(channel) }
}
