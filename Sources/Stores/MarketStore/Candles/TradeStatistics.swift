package import Instruments
package import Store

/// What the trades of a span of time say together, exactly.
package struct SpanStatistics: Sendable, Hashable {
    /// First price by venue time, then by arrival.
    package let open: Amount
    /// Highest price.
    package let high: Amount
    /// Lowest price.
    package let low: Amount
    /// Last price.
    package let last: Amount
    /// Σ size.
    package let volume: Amount
    /// Σ price × size; for a linear instrument of multiplier 1 the quote volume.
    package let notional: Amount
    /// Number of trades.
    package let tradeCount: Int64
}

extension Database {
    /// The statistics of an instrument's trades in a span of venue time; `nil` without trades.
    ///
    /// To check the rolling ones of a ticker against.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - from: Included.
    ///   - to: Excluded.
    /// - Returns: The statistics.
    /// - Throws: ``StoreError``.
    package func tradeStatistics(
        of id: InstrumentID, from: Timestamp, to: Timestamp
    ) async throws(StoreError) -> SpanStatistics? {
        try await first(
            """
            WITH trade AS (
                SELECT
                    venue_time_unix_nanos AS time, arrival,
                    price * ('1e-' || price_scale)::numeric AS price,
                    size * ('1e-' || size_scale)::numeric AS size
                FROM market.trade
                WHERE instrument_id = \(keyOf: id)
                    AND venue_time_unix_nanos >= \(from.nanoseconds)
                    AND venue_time_unix_nanos < \(to.nanoseconds)
            )
            SELECT
                trim_scale((array_agg(price ORDER BY time, arrival))[1]),
                trim_scale(max(price)), trim_scale(min(price)),
                trim_scale((array_agg(price ORDER BY time DESC, arrival DESC))[1]),
                trim_scale(sum(size)), trim_scale(sum(price * size)), count(*)
            FROM trade HAVING count(*) > 0
            """
        ) { row in
            SpanStatistics(
                open: try row.amount(), high: try row.amount(), low: try row.amount(),
                last: try row.amount(), volume: try row.amount(), notional: try row.amount(),
                tradeCount: try row.int64())
        }
    }
}
