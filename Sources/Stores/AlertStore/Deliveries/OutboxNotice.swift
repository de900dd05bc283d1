public import Instruments
import Store

/// Something to tell that no rule fired.
public struct OutboxNotice: Hashable, Sendable {
    /// What it is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Its owner wants to see whether a channel works.
        case test
        /// Too much happened: more is not told for a while.
        case quieted
        /// Several firings at once.
        case digest
        /// A channel of the owner's is told nothing any more; the note is its name.
        case channelEnded = "channel_ended"
    }

    /// What it is about.
    public var kind: Kind
    /// When it happened.
    public var time: Timestamp?
    /// Why, one sentence.
    public var reason: String
    /// Words of the owner's.
    public var note: String
    /// For how many things it stands.
    public var count: Int64

    /// Describes something of which no more is known than this.
    public init(_ kind: Kind, time: Timestamp? = nil, reason: String = "", note: String = "") {
        self.kind = kind
        self.time = time
        self.reason = reason
        self.note = note
        count = 0
    }
}

/// A notice as JSON in the database: written from parameters and read into columns by PostgreSQL itself.
enum NoticeColumns {
    static let list = """
        notice ->> 'kind', (notice ->> 'time')::bigint, notice ->> 'reason', notice ->> 'note', \
        (notice ->> 'count')::bigint
        """

    /// Five parameters, from the one with a number.
    static func value(from first: Int) -> String {
        let types = ["text", "bigint", "text", "text", "bigint"]
        let keys = ["kind", "time", "reason", "note", "count"]
        let pairs = zip(keys, types).enumerated().map { "'\($1.0)', $\(first + $0)::\($1.1)" }
        return "json_strip_nulls(json_build_object(\(pairs.joined(separator: ", "))))"
    }

    static func bind(_ notice: OutboxNotice, _ parameters: inout Parameters) {
        parameters.append(notice.kind.rawValue)
        parameters.append(notice.time?.nanoseconds)
        parameters.append(String(notice.reason.prefix(2_000)))
        parameters.append(String(notice.note.prefix(4_000)))
        parameters.append(notice.count)
    }

    /// `nil` when the columns are those of none.
    static func read(_ row: inout RowReader) throws(StoreError) -> OutboxNotice? {
        let (kind, time) = (try row.textOrNil(), try row.int64OrNil())
        let (reason, note, count) = (try row.textOrNil(), try row.textOrNil(), try row.int64OrNil())
        guard let kind else { return nil }
        guard let known = OutboxNotice.Kind(rawValue: kind) else { throw row.refusal() }
        var notice = OutboxNotice(known, reason: reason ?? "", note: note ?? "")
        notice.time = time.map { Timestamp(nanoseconds: $0) }
        notice.count = count ?? 0
        return notice
    }
}
