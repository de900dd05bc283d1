public import Instruments
public import Store

/// The candles of an instrument as PostgreSQL makes them of its stored trades, oldest first.
///
/// An independent second way to the same numbers, for repairs and for tests. Only intervals with trades; all
/// have the flag "closed". Open is the first and close the last trade by venue time, then by arrival.
public struct AggregateTrades: Statement {
    /// The statement's text.
    ///
    /// Prices are brought to the most decimal places among the interval's trades. The remainder is never
    /// negative, so that times before 1970 are cut at the same places.
    public static let sql = """
        WITH trade AS (
            SELECT
                venue_time_unix_nanos AS time, arrival, side, price, size, price_scale, size_scale,
                venue_time_unix_nanos - ((venue_time_unix_nanos - cut.shift) % cut.length + cut.length)
                    % cut.length AS start
            FROM market.trade
            CROSS JOIN (SELECT
                $3::bigint * 1000000000 AS length,
                CASE $3::bigint WHEN 604800 THEN 345600000000000 ELSE 0 END AS shift) AS cut
            WHERE instrument_id = (
                    SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
                AND venue_time_unix_nanos >= $4 AND venue_time_unix_nanos < $5
        ), summed AS (
            SELECT
                start, min(time) AS first_time, max(time) AS last_time,
                (array_agg(price * ('1e-' || price_scale)::numeric ORDER BY time, arrival))[1] AS open,
                max(price * ('1e-' || price_scale)::numeric) AS high,
                min(price * ('1e-' || price_scale)::numeric) AS low,
                (array_agg(price * ('1e-' || price_scale)::numeric ORDER BY time DESC, arrival DESC))[1]
                    AS close,
                max(price_scale) AS price_scale, max(size_scale) AS size_scale, count(*) AS trades,
                sum(size * ('1e-' || size_scale)::numeric) AS volume,
                coalesce(sum(size * ('1e-' || size_scale)::numeric) FILTER (WHERE side = 1), 0) AS bought,
                sum(price::numeric * size * ('1e-' || (price_scale + size_scale))::numeric) AS notional
            FROM trade GROUP BY start
        )
        SELECT
            $3::integer, start, first_time, last_time, (open * ('1e' || price_scale)::numeric)::bigint,
            (high * ('1e' || price_scale)::numeric)::bigint, (low * ('1e' || price_scale)::numeric)::bigint,
            (close * ('1e' || price_scale)::numeric)::bigint, price_scale, size_scale, trades,
            trim_scale(volume), trim_scale(bought), trim_scale(notional), 1::smallint
        FROM summed ORDER BY start
        """

    private let id: InstrumentID
    private let kind: CandleKind
    private let from: Timestamp
    private let to: Timestamp

    /// Asks for the candles of the trades in a span of venue time, which may cut the outer candles short.
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
        parameters.append(Int64(kind.rawValue))
        parameters.append(from.nanoseconds)
        parameters.append(to.nanoseconds)
    }

    /// Reads a candle.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> CandleRow {
        try CandleColumns.read(&row)
    }
}
