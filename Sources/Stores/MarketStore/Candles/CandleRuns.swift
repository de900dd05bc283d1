public import Instruments
public import Store

/// A stretch of stored candles of one length without a hole: those that begin in [from, to).
public struct CandleRun: Sendable, Hashable {
    /// Start of the first.
    public let from: Timestamp
    /// The first instant after the last.
    public let to: Timestamp

    /// Describes a stretch.
    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }
}

/// The stretches of an instrument's stored candles that need nothing, earliest first.
///
/// A candle that is over and incomplete counts as missing, since what a venue says may mend it.
public struct CandleRuns: Statement {
    /// The statement's text.
    ///
    /// Candles that follow each other have the same distance from their number times their length.
    public static let sql = """
        SELECT min(start), max(start) + $3::bigint * 1000000000
        FROM (
            SELECT start_unix_nanos AS start,
                start_unix_nanos - row_number() OVER (ORDER BY start_unix_nanos) * $3::bigint * 1000000000
                    AS island
            FROM market.candle
            WHERE instrument_id = (
                    SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
                AND interval_seconds = $3 AND start_unix_nanos >= $4 AND start_unix_nanos < $5
                AND flags & 3 <> 3) AS candle
        GROUP BY island
        ORDER BY 1
        """

    private let id: InstrumentID
    private let kind: CandleKind
    private let from: Timestamp
    private let to: Timestamp

    /// Asks for the stretches of candles that begin in a span of venue time.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - kind: Their length.
    ///   - from: Included.
    ///   - to: Excluded.
    public init(_ id: InstrumentID, _ kind: CandleKind, from: Timestamp, to: Timestamp) {
        self.id = id
        self.kind = kind
        self.from = from
        self.to = to
    }

    /// Appends name, length and span.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(kind.rawValue)
        parameters.append(from.nanoseconds)
        parameters.append(to.nanoseconds)
    }

    /// Reads a stretch.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> CandleRun {
        CandleRun(from: try row.nanoseconds(), to: try row.nanoseconds())
    }
}

/// The first instants of an instrument's oldest and newest stored candle of a length; no row without any.
public struct CandleEnds: Statement {
    /// The statement's text: two look-ups at the ends of the index.
    public static let sql = """
        SELECT oldest.start_unix_nanos, newest.start_unix_nanos
        FROM market.instrument AS i
        CROSS JOIN LATERAL (
            SELECT c.start_unix_nanos FROM market.candle AS c
            WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $3
            ORDER BY c.start_unix_nanos LIMIT 1) AS oldest
        CROSS JOIN LATERAL (
            SELECT c.start_unix_nanos FROM market.candle AS c
            WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $3
            ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
        WHERE i.venue = $1 AND i.symbol = $2
        """

    private let id: InstrumentID
    private let kind: CandleKind

    /// Names instrument and length.
    public init(_ id: InstrumentID, _ kind: CandleKind) {
        self.id = id
        self.kind = kind
    }

    /// Appends name and length.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(kind.rawValue)
    }

    /// Reads two times.
    public static func decode(
        _ row: inout RowReader
    ) throws(StoreError) -> (oldest: Timestamp, newest: Timestamp) {
        (try row.nanoseconds(), try row.nanoseconds())
    }
}
