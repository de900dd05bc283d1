package import Instruments
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
        VALUES (\(id), \(channel), json_strip_nulls(json_build_object(
            'kind', \(notice.kind.rawValue)::text, 'time', \(notice.time?.nanoseconds)::bigint,
            'reason', \(String(notice.reason.prefix(2_000)))::text,
            'note', \(String(notice.note.prefix(4_000)))::text, 'count', \(notice.count)::bigint)))
        ON CONFLICT (delivery_id) DO NOTHING
        """
    }
}
