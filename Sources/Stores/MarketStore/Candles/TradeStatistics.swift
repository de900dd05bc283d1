public import Instruments
public import Store

/// What the trades of a span of time say together, exactly; prices and sums without trailing zeros.
public struct SpanStatistics: Sendable, Hashable {
    /// First price by venue time, then by arrival.
    public let open: Numeric
    /// Highest price.
    public let high: Numeric
    /// Lowest price.
    public let low: Numeric
    /// Last price.
    public let last: Numeric
    /// Σ size.
    public let volume: Numeric
    /// Σ price × size; for a linear instrument of multiplier 1 the quote volume.
    public let notional: Numeric
    /// Number of trades.
    public let tradeCount: Int64
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
    public func tradeStatistics(
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
                open: try row.numeric(), high: try row.numeric(), low: try row.numeric(),
                last: try row.numeric(), volume: try row.numeric(), notional: try row.numeric(),
                tradeCount: try row.int64())
        }
    }
}
