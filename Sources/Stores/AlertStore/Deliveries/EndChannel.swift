public import Instruments
public import Store

/// Switches a channel off whose receiver is gone, and has another of the same user's say so, once.
///
/// Whoever comes first does it, unless its owner has set it up otherwise since: what the receiver of before
/// said means nothing for the new one. Letters are preferred, then the oldest channel. `execute` returns 1,
/// or 0 when there is no other channel or it was off already.
public struct EndChannel: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        WITH ended AS (
            UPDATE alerts.channel SET disabled_at = clock_timestamp()
            WHERE channel_id = $1 AND disabled_at IS NULL
                AND settings::text = $6 AND secrets::text = $7
                AND ($5::timestamptz IS NULL OR NOT EXISTS (
                    SELECT FROM alerts.outbox
                    WHERE channel_id = $1 AND state = 'delivered' AND ended_at > $5))
            RETURNING channel_id, user_id, name
        ), other AS (
            SELECT channel.channel_id, ended.name
            FROM ended JOIN alerts.channel AS channel USING (user_id)
            WHERE channel.channel_id <> ended.channel_id
                AND channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
            ORDER BY channel.kind <> 'email', channel.created_at, channel.channel_id
            LIMIT 1
        )
        INSERT INTO alerts.outbox (delivery_id, channel_id, notice)
        SELECT $2, channel_id, json_build_object(
            'kind', 'channel_ended', 'time', $4::bigint, 'reason', $3::text, 'note', name, 'count', 1)
        FROM other
        """

    private let channel: Channel
    private let notice: UniqueID
    private let reason: String
    private let now: Timestamp
    private let start: Timestamp?

    /// Says which channel, and why.
    ///
    /// - Parameters:
    ///   - channel: Which, as it was when its receiver said so.
    ///   - reason: What its receiver said, one sentence.
    ///   - notice: The key of what the other channel tells.
    ///   - now: The time.
    ///   - start: Only if nothing else has arrived there since then; `nil` for in any case.
    public init(
        _ channel: Channel, because reason: String, notice: UniqueID, at now: Timestamp,
        ifSilentSince start: Timestamp? = nil
    ) {
        self.channel = channel
        self.notice = notice
        self.reason = reason
        self.now = now
        self.start = start
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(channel.id)
        parameters.append(notice)
        parameters.append(String(reason.prefix(1_000)))
        parameters.append(now.nanoseconds)
        parameters.append(timestamp: start?.nanoseconds)
        parameters.append(channel.settings)
        parameters.append(channel.secrets.json)
    }
}
