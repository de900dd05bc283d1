package import Instruments
package import Store

/// How much an instrument moved in an hour, with the parts of the score.
package struct TrendingRow: Hashable, Sendable {
    package var instrument: InstrumentID
    /// What it is sorted by, higher first.
    package var score: Numeric
    /// The part of the score that the volume's growth gives.
    package var volumeScore: Numeric
    /// The part of the score that the price's movement gives.
    package var priceScore: Numeric
    /// Volume of the hour.
    package var volume: Numeric
    /// What the volume of such an hour usually is.
    package var usualVolume: Numeric
    /// Part of the price before: 0.05 is five percent.
    package var priceChange: Numeric

    package init(
        instrument: InstrumentID, score: Numeric, volumeScore: Numeric, priceScore: Numeric,
        volume: Numeric, usualVolume: Numeric, priceChange: Numeric
    ) {
        self.instrument = instrument
        self.score = score
        self.volumeScore = volumeScore
        self.priceScore = priceScore
        self.volume = volume
        self.usualVolume = usualVolume
        self.priceChange = priceChange
    }
}

extension Database {
    /// Stores the scores of an hour by venue time, in the place of earlier ones of the same hour.
    ///
    /// - Parameters:
    ///   - scores: Each instrument at most once; those without a row in `market.instrument` are left out.
    ///   - hour: The first instant of the hour, by venue time.
    /// - Returns: How many were stored.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func store(_ scores: [TrendingRow], of hour: Timestamp) async throws(StoreError) -> Int {
        try await execute(
            """
            INSERT INTO market.trending (
                hour_unix_nanos, instrument_id, score, volume_score, price_score, volume, usual_volume,
                price_change)
            SELECT \(hour.nanoseconds), i.instrument_id, new.score, new.volume_score, new.price_score,
                new.volume, new.usual_volume, new.price_change
            FROM unnest(
                \(scores.map(\.instrument.venue.rawValue))::text[],
                \(scores.map(\.instrument.symbol))::text[], \(scores.map(\.score))::numeric[],
                \(scores.map(\.volumeScore))::numeric[],
                \(scores.map(\.priceScore))::numeric[], \(scores.map(\.volume))::numeric[],
                \(scores.map(\.usualVolume))::numeric[], \(scores.map(\.priceChange))::numeric[])
                AS new (venue, symbol, score, volume_score, price_score, volume, usual_volume, price_change)
            JOIN market.instrument AS i USING (venue, symbol)
            ORDER BY i.instrument_id
            ON CONFLICT (hour_unix_nanos, instrument_id) DO UPDATE SET
                score = excluded.score, volume_score = excluded.volume_score,
                price_score = excluded.price_score, volume = excluded.volume,
                usual_volume = excluded.usual_volume, price_change = excluded.price_change
            """)
    }

    /// The highest scores of the newest hour that has any, highest first; none for a limit below 1.
    package func trending(limit: Int) async throws(StoreError) -> [(hour: Timestamp, row: TrendingRow)] {
        try await rows(
            """
            SELECT t.hour_unix_nanos, i.venue, i.symbol, t.score, t.volume_score, t.price_score, t.volume,
                t.usual_volume, t.price_change
            FROM market.trending AS t
            JOIN market.instrument AS i USING (instrument_id)
            WHERE t.hour_unix_nanos = (SELECT max(hour_unix_nanos) FROM market.trending)
            ORDER BY t.score DESC, i.venue, i.symbol
            LIMIT \(Int64(max(limit, 0)))
            """
        ) { row in
            let hour = try row.nanoseconds()
            let score = TrendingRow(
                instrument: try row.instrumentID(), score: try row.numeric(), volumeScore: try row.numeric(),
                priceScore: try row.numeric(), volume: try row.numeric(), usualVolume: try row.numeric(),
                priceChange: try row.numeric())
            return (hour: hour, row: score)
        }
    }
}
