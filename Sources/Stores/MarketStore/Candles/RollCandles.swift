package import Instruments
package import MarketState
package import Store

extension Database {
    /// Longer candles as PostgreSQL makes them of stored shorter ones, oldest first; to check ours against.
    ///
    /// Only where there are parts, which are not flat; a part that is incomplete, amended or the venue's own
    /// marks the whole. All have the flag "closed".
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - part: The length of the stored ones.
    ///   - whole: The length wanted, a multiple of the other.
    ///   - from: Parts that begin at or after it.
    ///   - to: Parts that begin before it.
    /// - Returns: The candles.
    /// - Throws: ``StoreError``.
    package func rollCandles(
        of id: InstrumentID, _ part: CandleInterval, into whole: CandleInterval, from: Timestamp,
        to: Timestamp
    ) async throws(StoreError) -> [CandleRow] {
        let length = whole.seconds
        return try await rows(
            """
            WITH part AS (
                SELECT *,
                    start_unix_nanos - ((start_unix_nanos - cut.shift) % cut.length + cut.length) % cut.length
                        AS start
                FROM market.candle
                CROSS JOIN (SELECT
                    \(length)::bigint * 1000000000 AS length,
                    CASE \(length)::bigint WHEN 604800 THEN 345600000000000 ELSE 0 END AS shift) AS cut
                WHERE instrument_id = \(keyOf: id) AND interval_seconds = \(part)
                    AND start_unix_nanos >= \(from.nanoseconds) AND start_unix_nanos < \(to.nanoseconds)
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
                \(length)::integer, start, first_time, last_time,
                (open * ('1e' || price_scale)::numeric)::bigint,
                (high * ('1e' || price_scale)::numeric)::bigint,
                (low * ('1e' || price_scale)::numeric)::bigint,
                (close * ('1e' || price_scale)::numeric)::bigint, price_scale, size_scale, trades,
                trim_scale(volume), trim_scale(bought), trim_scale(notional), (flags | 1)::smallint
            FROM summed ORDER BY start
            """, CandleRow.init)
    }
}
