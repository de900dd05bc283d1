import AccountStore
package import Instruments
import MarketStore
package import Store

/// Something to tell that no rule fired.
package struct OutboxNotice: Hashable, Sendable {
    /// What it is about.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Its owner wants to see whether a channel works.
        case test
        /// Too much happened: more is not told for a while.
        case quieted
        /// Several firings at once.
        case digest
        /// A channel of the owner's is told nothing any more; the note is its name.
        case channelEnded = "channel_ended"
        /// Where PostgreSQL keeps its files is little room; for operators.
        case diskNearlyFull = "disk_nearly_full"
    }

    package var kind: Kind
    package var time: Timestamp?
    /// Why, one sentence.
    package var reason: String
    /// Words of the owner's.
    package var note: String
    /// For how many things it stands.
    package var count: Int64

    /// Describes something of which no more is known than this.
    package init(_ kind: Kind, time: Timestamp? = nil, reason: String = "", note: String = "") {
        self.kind = kind
        self.time = time
        self.reason = reason
        self.note = note
        count = 0
    }
}

extension OutboxNotice {
    static let columns: SQL = """
        notice ->> 'kind', (notice ->> 'time')::bigint, notice ->> 'reason', notice ->> 'note', \
        (notice ->> 'count')::bigint
        """

    /// Reads ``columns``; `nil` when they are those of none.
    init?(_ row: inout RowReader) throws(StoreError) {
        let (kind, time) = (try row.textOrNil(), try row.int64OrNil())
        let (reason, note, count) = (try row.textOrNil(), try row.textOrNil(), try row.int64OrNil())
        guard let kind else { return nil }
        guard let known = Kind(rawValue: kind) else { throw row.refusal() }
        self.init(
            known, time: time.map { Timestamp(nanoseconds: $0) }, reason: reason ?? "", note: note ?? "")
        self.count = count ?? 0
    }
}

extension Query {
    /// Puts something that no rule fired into the outbox of one channel, once for each key: no row when the
    /// key is there already.
    ///
    /// It is JSON in the database: written from parameters and read into columns by PostgreSQL itself.
    package static func addNotice(
        _ notice: OutboxNotice, _ id: UniqueID, to channel: UniqueID
    ) -> Query {
        """
        INSERT INTO alerts.outbox (delivery_id, channel_id, notice)
        VALUES (\(id), \(channel), \(written: notice))
        ON CONFLICT (delivery_id) DO NOTHING
        """
    }

    /// Tells all operators something of the installation by each of their channels, unless that was done a
    /// while ago, by whomever; as many rows as there are channels.
    ///
    /// As long as nobody has an account, who works on the machine is the operator.
    package static func tellOperators(_ notice: OutboxNotice, atMostEvery seconds: Int64) -> Query {
        """
        WITH said AS (
            INSERT INTO alerts.operator_notice AS old (kind, said_at)
            VALUES (\(notice.kind.rawValue), clock_timestamp())
            ON CONFLICT (kind) DO UPDATE SET said_at = excluded.said_at
            WHERE old.said_at <= clock_timestamp() - \(seconds)::bigint * interval '1 second'
            RETURNING kind
        )
        INSERT INTO alerts.outbox (channel_id, notice)
        SELECT channel.channel_id, \(written: notice)
        FROM said CROSS JOIN alerts.channel AS channel
        WHERE channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
            AND (channel.user_id = \(UserID.localOperator)
                OR channel.user_id IN (
                    SELECT user_id FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL))
        """
    }
}

extension Query.StringInterpolation {
    /// The JSON of a notice.
    fileprivate mutating func appendInterpolation(written notice: OutboxNotice) {
        appendLiteral("json_strip_nulls(json_build_object('kind', ")
        appendInterpolation(notice.kind.rawValue)
        appendLiteral("::text, 'time', ")
        appendInterpolation(notice.time?.nanoseconds)
        appendLiteral("::bigint, 'reason', ")
        appendInterpolation(String(notice.reason.prefix(2_000)))
        appendLiteral("::text, 'note', ")
        appendInterpolation(String(notice.note.prefix(4_000)))
        appendLiteral("::text, 'count', ")
        appendInterpolation(notice.count)
        appendLiteral("::bigint))")
    }
}
