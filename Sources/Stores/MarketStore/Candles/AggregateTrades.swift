package import Instruments
package import MarketState
package import Store

extension Database {
    /// The candles of an instrument as PostgreSQL makes them of its stored trades, oldest first.
    ///
    /// An independent second way to the same numbers, for repairs and for tests. Only intervals with trades;
    /// all have the flag "closed". Open is the first and close the last trade by venue time, then by arrival.
    /// The span may cut the outer candles short.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - interval: Their length.
    ///   - from: Venue time; included.
    ///   - to: Excluded.
    /// - Returns: The candles.
    /// - Throws: ``StoreError``.
    package func aggregateTrades(
        of id: InstrumentID, _ interval: CandleInterval, from: Timestamp, to: Timestamp
    ) async throws(StoreError) -> [CandleRow] {
        let length = interval.seconds
        // Prices are brought to the most decimal places among the interval's trades. The remainder is never
        // negative, so that times before 1970 are cut at the same places.
        return try await rows(
            """
            WITH trade AS (
                SELECT
                    venue_time_unix_nanos AS time, arrival, side, price, size, price_scale, size_scale,
                    venue_time_unix_nanos - ((venue_time_unix_nanos - cut.shift) % cut.length + cut.length)
                        % cut.length AS start
                FROM market.trade
                CROSS JOIN (SELECT
                    \(length)::bigint * 1000000000 AS length,
                    CASE \(length)::bigint WHEN 604800 THEN 345600000000000 ELSE 0 END AS shift) AS cut
                WHERE instrument_id = \(keyOf: id)
                    AND venue_time_unix_nanos >= \(from.nanoseconds)
                    AND venue_time_unix_nanos < \(to.nanoseconds)
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
                \(length)::integer, start, first_time, last_time,
                (open * ('1e' || price_scale)::numeric)::bigint,
                (high * ('1e' || price_scale)::numeric)::bigint,
                (low * ('1e' || price_scale)::numeric)::bigint,
                (close * ('1e' || price_scale)::numeric)::bigint, price_scale, size_scale, trades,
                trim_scale(volume), trim_scale(bought), trim_scale(notional), 1::smallint
            FROM summed ORDER BY start
            """, CandleRow.init)
    }
}
