public import Instruments
public import Store

/// Longer candles as PostgreSQL makes them of stored shorter ones, oldest first; to check ours against.
///
/// Only where there are parts, which are not flat; a part that is incomplete, amended or the venue's own
/// marks the whole. All have the flag "closed".
public struct RollCandles: Statement {
    /// The statement's text.
    public static let sql = """
        WITH part AS (
            SELECT *,
                start_unix_nanos - ((start_unix_nanos - cut.shift) % cut.length + cut.length) % cut.length
                    AS start
            FROM market.candle
            CROSS JOIN (SELECT
                $4::bigint * 1000000000 AS length,
                CASE $4::bigint WHEN 604800 THEN 345600000000000 ELSE 0 END AS shift) AS cut
            WHERE instrument_id = (
                    SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
                AND interval_seconds = $3 AND start_unix_nanos >= $5 AND start_unix_nanos < $6
                AND flags & 16 = 0
        ), summed AS (
            SELECT
                start, min(open_time_unix_nanos) AS first_time, max(close_time_unix_nanos) AS last_time,
                (array_agg(open * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos))[1] AS open,
                max(high * ('1e-' || price_scale)::numeric) AS high,
                min(low * ('1e-' || price_scale)::numeric) AS low,
                (array_agg(close * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos DESC))[1]
                    AS close,
                max(price_scale) AS price_scale, max(size_scale) AS size_scale,
                sum(trade_count)::bigint AS trades, sum(volume) AS volume,
                -- A sum in which something is missing is not a sum.
                CASE WHEN count(*) = count(taker_buy_volume) THEN sum(taker_buy_volume) END AS bought,
                CASE WHEN count(*) = count(notional) THEN sum(notional) END AS notional,
                bit_or(flags & ~1) AS flags
            FROM part GROUP BY start
        )
        SELECT
            $4::integer, start, first_time, last_time, (open * ('1e' || price_scale)::numeric)::bigint,
            (high * ('1e' || price_scale)::numeric)::bigint, (low * ('1e' || price_scale)::numeric)::bigint,
            (close * ('1e' || price_scale)::numeric)::bigint, price_scale, size_scale, trades,
            trim_scale(volume), trim_scale(bought), trim_scale(notional), (flags | 1)::smallint
        FROM summed ORDER BY start
        """

    private let id: InstrumentID
    private let part: CandleKind
    private let whole: CandleKind
    private let from: Timestamp
    private let to: Timestamp

    /// Asks for the candles of a length made of those of a shorter one.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - part: The length of the stored ones.
    ///   - whole: The length wanted, a multiple of the other.
    ///   - from: Parts that begin at or after it.
    ///   - to: Parts that begin before it.
    public init(
        _ id: InstrumentID, _ part: CandleKind, into whole: CandleKind, from: Timestamp, to: Timestamp
    ) {
        self.id = id
        self.part = part
        self.whole = whole
        self.from = from
        self.to = to
    }

    /// Appends name, lengths and span.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(part.rawValue)
        parameters.append(Int64(whole.rawValue))
        parameters.append(from.nanoseconds)
        parameters.append(to.nanoseconds)
    }

    /// Reads a candle.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> CandleRow {
        try CandleColumns.read(&row)
    }
}
