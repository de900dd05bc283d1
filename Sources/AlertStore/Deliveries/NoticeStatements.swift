public import AccountStore
public import Store

/// Puts something that no rule fired into the outbox of one channel, once for each key.
///
/// `execute` returns 1, or 0 when the key is there already.
public struct AddNotice: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO alerts.outbox (delivery_id, channel_id, notice) VALUES ($1, $2, \(NoticeColumns.value(from: 3)))
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

/// Puts something that no rule fired into the outbox of a user's usable channels.
///
/// `execute` returns how many channels tell it.
public struct TellUser: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO alerts.outbox (channel_id, notice)
        SELECT channel_id, \(NoticeColumns.value(from: 4)) FROM alerts.channel
        WHERE user_id = $1 AND verified_at IS NOT NULL AND disabled_at IS NULL
            AND ($2 = '{}' OR name = ANY ($2)) AND channel_id <> ALL ($3)
        """

    private let user: UserID
    private let notice: OutboxNotice
    private let names: [String]
    private let excluded: [UniqueID]

    /// Takes whom, what and by which channels.
    ///
    /// - Parameters:
    ///   - user: Whom.
    ///   - notice: What.
    ///   - names: Channels by name; none for all of them.
    ///   - excluded: Channels that are not to be used.
    public init(_ user: UserID, notice: OutboxNotice, by names: [String] = [], except excluded: [UniqueID] = []) {
        self.user = user
        self.notice = notice
        self.names = names
        self.excluded = excluded
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(names)
        parameters.append(excluded)
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
