package import Instruments
package import Store

extension Session {
    /// Stores what a venue said of its instruments at a time; rows that say nothing new are left alone.
    ///
    /// Returns how many rows are new or changed. Of two descriptions of one instrument the later wins.
    @discardableResult
    package func store(_ instruments: [Instrument], at time: Timestamp) throws(StoreError) -> Int {
        let latest = Dictionary(instruments.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        let rows = Array(latest.values)
        // Rows go in by name, so that two programs never wait for each other crosswise.
        return try execute(
            """
            INSERT INTO market.instrument AS old (
                venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, lot_size,
                contract_multiplier, is_inverse, updated_at)
            SELECT new.*, \(time)
            FROM unnest(
                \(rows.map(\.id.venue.rawValue))::text[], \(rows.map(\.id.symbol))::text[],
                \(rows.map(\.base.rawValue))::text[], \(rows.map(\.quote.rawValue))::text[],
                \(rows.map(\.kind.rawValue))::text[], \(rows.map { Int16($0.priceScale.places) })::smallint[],
                \(rows.map { Int16($0.sizeScale.places) })::smallint[],
                \(rows.map { $0.tickSize.map(Numeric.init) })::numeric[],
                \(rows.map { $0.lotSize.map(Numeric.init) })::numeric[],
                \(rows.map { $0.contractMultiplier.map(Numeric.init) })::numeric[],
                \(rows.map(\.isInverse))::boolean[]) AS new (venue, symbol)
            ORDER BY new.venue, new.symbol
            ON CONFLICT (venue, symbol) DO UPDATE SET
                base = excluded.base, quote = excluded.quote, kind = excluded.kind,
                price_scale = excluded.price_scale, size_scale = excluded.size_scale,
                tick_size = excluded.tick_size, lot_size = excluded.lot_size,
                contract_multiplier = excluded.contract_multiplier,
                is_inverse = excluded.is_inverse, updated_at = excluded.updated_at
            WHERE (old.base, old.quote, old.kind, old.price_scale, old.size_scale, old.tick_size,
                old.lot_size, old.contract_multiplier, old.is_inverse)
                IS DISTINCT FROM (excluded.base, excluded.quote, excluded.kind, excluded.price_scale,
                excluded.size_scale, excluded.tick_size, excluded.lot_size, excluded.contract_multiplier,
                excluded.is_inverse)
            """)
    }
}

extension Database {
    /// Stores what a venue said of its instruments, as ``Session/store(_:at:)`` does.
    @discardableResult
    package func store(_ instruments: [Instrument], at time: Timestamp) async throws(StoreError) -> Int {
        try await withSession { session in try session.store(instruments, at: time) }
    }
}
