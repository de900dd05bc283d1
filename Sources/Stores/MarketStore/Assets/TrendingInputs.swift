public import Instruments
public import Store

/// What a score is made of: an instrument's candles of two days.
public struct TrendingInput: Sendable, Hashable {
    /// What was traded.
    public let instrument: InstrumentID
    /// Σ size of the 24 hours before the end.
    public let volume: Numeric
    /// Σ size of the 24 hours before those; zero when nothing is stored of them.
    public let volumeBefore: Numeric
    /// The first price of the 24 hours.
    public let open: Numeric
    /// The last price of the 24 hours.
    public let last: Numeric
}

/// The instruments that traded in 24 hours, with what their scores are made of.
public struct TrendingInputs: Statement {
    /// The statement's text: one index scan for each instrument.
    ///
    /// $1 is 24 hours before the end, $2 the end, $3 48 hours before it, $4 the length of the candles.
    public static let sql = """
        SELECT i.venue, i.symbol, trim_scale(day.volume), trim_scale(day.volume_before), day.open, day.last
        FROM market.instrument AS i
        CROSS JOIN LATERAL (
            SELECT
                coalesce(sum(volume) FILTER (WHERE start_unix_nanos >= $1), 0) AS volume,
                coalesce(sum(volume) FILTER (WHERE start_unix_nanos < $1), 0) AS volume_before,
                (array_agg(open * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos)
                    FILTER (WHERE start_unix_nanos >= $1))[1] AS open,
                (array_agg(close * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos DESC)
                    FILTER (WHERE start_unix_nanos >= $1))[1] AS last
            FROM market.candle AS c
            WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $4
                AND c.start_unix_nanos >= $3 AND c.start_unix_nanos < $2) AS day
        WHERE day.volume > 0
        ORDER BY i.venue, i.symbol
        """

    private static let day: Int64 = 86_400_000_000_000

    private let end: Timestamp
    private let kind: CandleKind

    /// - Parameters:
    ///   - end: Of the 24 hours, by venue time.
    ///   - kind: The length of the candles that they are made of.
    public init(end: Timestamp, of kind: CandleKind) {
        self.end = end
        self.kind = kind
    }

    /// Appends the three times and the length.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(end.adding(nanoseconds: -Self.day).nanoseconds)
        parameters.append(end.nanoseconds)
        parameters.append(end.adding(nanoseconds: -2 * Self.day).nanoseconds)
        parameters.append(kind.rawValue)
    }

    /// Reads an instrument's sums.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> TrendingInput {
        TrendingInput(
            instrument: try row.instrumentID(), volume: try row.numeric(), volumeBefore: try row.numeric(),
            open: try row.numeric(), last: try row.numeric())
    }
}

/// The start of the newest stored candle of a length of all instruments.
///
/// NULL without any.
public struct NewestCandle: Statement {
    /// The statement's text: one look-up at the end of the index for each instrument.
    public static let sql = """
        SELECT max(newest.start_unix_nanos)
        FROM market.instrument AS i
        CROSS JOIN LATERAL (
            SELECT c.start_unix_nanos FROM market.candle AS c
            WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $1
            ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
        """

    private let kind: CandleKind

    /// Asks for all instruments.
    public init(_ kind: CandleKind) { self.kind = kind }

    /// Appends the length.
    public func bind(_ parameters: inout Parameters) { parameters.append(kind.rawValue) }

    /// Reads the start.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Timestamp? {
        try row.int64OrNil().map { Timestamp(nanoseconds: $0) }
    }
}
