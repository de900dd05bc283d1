package import Instruments
import MarketState
package import Store

/// What a score is made of: an instrument's candles of two days.
package struct TrendingInput: Sendable, Hashable {
    /// What was traded.
    package let instrument: InstrumentID
    /// Σ size of the 24 hours before the end.
    package let volume: Numeric
    /// Σ size of the 24 hours before those; zero when nothing is stored of them.
    package let volumeBefore: Numeric
    /// The first price of the 24 hours.
    package let open: Numeric
    /// The last price of the 24 hours.
    package let last: Numeric
}

extension Database {
    /// The instruments that traded in the 24 hours before an end by venue time, with what their scores are
    /// made of, from candles of one length.
    func trendingInputs(
        end: Timestamp, of interval: CandleInterval
    ) async throws(StoreError) -> [TrendingInput] {
        let day: Int64 = 86_400_000_000_000
        let from = end.adding(nanoseconds: -day).nanoseconds
        let before = end.adding(nanoseconds: -2 * day).nanoseconds
        // One index scan for each instrument.
        return try await rows(
            """
            SELECT i.venue, i.symbol, trim_scale(day.volume), trim_scale(day.volume_before), day.open,
                day.last
            FROM market.instrument AS i
            CROSS JOIN LATERAL (
                SELECT
                    coalesce(sum(volume) FILTER (WHERE start_unix_nanos >= \(from)), 0) AS volume,
                    coalesce(sum(volume) FILTER (WHERE start_unix_nanos < \(from)), 0) AS volume_before,
                    (array_agg(open * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos)
                        FILTER (WHERE start_unix_nanos >= \(from)))[1] AS open,
                    (array_agg(close * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos DESC)
                        FILTER (WHERE start_unix_nanos >= \(from)))[1] AS last
                FROM market.candle AS c
                WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = \(interval)
                    AND c.start_unix_nanos >= \(before) AND c.start_unix_nanos < \(end.nanoseconds)) AS day
            WHERE day.volume > 0
            ORDER BY i.venue, i.symbol
            """
        ) { row in
            TrendingInput(
                instrument: try row.instrumentID(), volume: try row.numeric(),
                volumeBefore: try row.numeric(), open: try row.numeric(), last: try row.numeric())
        }
    }

    /// The start of the newest stored candle of a length of all instruments; `nil` without any.
    func newestStart(of interval: CandleInterval) async throws(StoreError) -> Timestamp? {
        // One look-up at the end of the index for each instrument.
        try await first(
            """
            SELECT max(newest.start_unix_nanos)
            FROM market.instrument AS i
            CROSS JOIN LATERAL (
                SELECT c.start_unix_nanos FROM market.candle AS c
                WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = \(interval)
                ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
            """
        ) { try $0.nanosecondsOrNil() } ?? nil
    }
}
