public import Instruments
public import Store

/// A span of venue time whose trades were missed and cannot be had.
public struct StoredHole: Sendable, Hashable {
    /// The last trade before what is missing.
    public let after: Timestamp
    /// The first trade after it; `nil` where none is stored yet.
    public let until: Timestamp?

    /// Describes a hole.
    public init(after: Timestamp, until: Timestamp?) {
        self.after = after
        self.until = until
    }
}

/// Records a hole of a tape; one that begins where another does replaces it.
public struct RecordTradeHole: Statement {
    /// Nothing is read.
    public typealias Row = Void
    /// The statement's text.
    public static let sql = """
        INSERT INTO market.trade_hole (instrument_id, after_unix_nanos, until_unix_nanos)
        SELECT instrument_id, $3, $4 FROM market.instrument WHERE venue = $1 AND symbol = $2
        ON CONFLICT (instrument_id, after_unix_nanos) DO UPDATE
            SET until_unix_nanos = greatest(market.trade_hole.until_unix_nanos, excluded.until_unix_nanos)
        """

    private let id: InstrumentID
    private let hole: StoredHole

    /// Names the instrument and the span; an end before the beginning counts as unknown.
    public init(_ id: InstrumentID, _ hole: StoredHole) {
        self.id = id
        self.hole = hole
    }

    /// Appends name and span.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(hole.after.nanoseconds)
        parameters.append(hole.until.flatMap { $0 >= hole.after ? $0.nanoseconds : nil })
    }
}

/// The holes of an instrument's tape that end after an instant, earliest first.
///
/// Where the first trade after a hole had not come when it was recorded, the next stored one ends it.
public struct TradeHoles: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT after_unix_nanos, until
        FROM (
            SELECT hole.after_unix_nanos, coalesce(hole.until_unix_nanos, (
                SELECT venue_time_unix_nanos FROM market.trade AS next
                WHERE next.instrument_id = hole.instrument_id
                    AND next.venue_time_unix_nanos > hole.after_unix_nanos
                ORDER BY next.venue_time_unix_nanos LIMIT 1)) AS until
            FROM market.trade_hole AS hole
            WHERE hole.instrument_id = (
                SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)) AS hole
        WHERE until IS NULL OR until >= $3
        ORDER BY after_unix_nanos
        """

    private let id: InstrumentID
    private let from: Timestamp

    /// Names the instrument and the instant.
    public init(_ id: InstrumentID, endingAfter from: Timestamp) {
        self.id = id
        self.from = from
    }

    /// Appends name and instant.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(from.nanoseconds)
    }

    /// Reads a hole.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredHole {
        StoredHole(
            after: try row.nanoseconds(), until: try row.int64OrNil().map { Timestamp(nanoseconds: $0) })
    }
}
