package import Store

extension Session {
    /// Stores the trades that are not stored yet, and makes the partitions of their days.
    ///
    /// Idempotent: a trade is known by its instrument, its id, its id space and its UTC day. Trades of equal
    /// venue time keep the batch's order.
    ///
    /// - Returns: One entry per instrument of the batch; empty for an empty batch.
    /// - Throws: ``StoreError``; ``StoreError/body(_:)`` with a ``MarketStoreError`` when an instrument is
    ///   unknown or the batch spans too many days. Nothing of the batch is stored then.
    package func insert(_ batch: TradeBatch) throws(StoreError) -> [StoredTrades] {
        guard !batch.isEmpty else { return [] }
        try batch.checkDays()
        let unknown = try rows(
            """
            SELECT wanted.venue, wanted.symbol
            FROM \(wanted: batch.instruments)
            LEFT JOIN market.instrument AS known USING (venue, symbol)
            WHERE known.instrument_id IS NULL
            ORDER BY wanted.number
            """
        ) { try $0.instrumentID() }
        guard unknown.isEmpty else { throw .body(MarketStoreError.unknownInstruments(unknown)) }
        try ensureTradePartitions(days: batch.days.sorted())
        var stored = batch.last
        for (number, inserted) in try insertRows(batch) {
            guard stored.indices.contains(number - 1) else { continue }
            stored[number - 1].inserted = inserted
        }
        return stored
    }

    /// Inserts a batch and says how many rows of each of its instruments are new.
    ///
    /// One statement with an array per column: measured as fast as COPY into a staging table at a thousand
    /// rows, and it takes ON CONFLICT. A name without an instrument becomes a NULL that the table refuses.
    private func insertRows(_ batch: TradeBatch) throws(StoreError) -> [(number: Int, inserted: Int)] {
        try rows(
            """
            WITH named AS MATERIALIZED (
                SELECT wanted.number::integer AS number, known.instrument_id
                FROM \(wanted: batch.instruments)
                LEFT JOIN market.instrument AS known USING (venue, symbol)
            ), inserted AS (
                INSERT INTO market.trade (
                    instrument_id, trade_id, side, price, size, price_scale, size_scale,
                    venue_time_unix_nanos, received_time_unix_nanos, is_aggregate, is_backfill, arrival)
                SELECT
                    named.instrument_id, new.trade_id, new.side, new.price, new.size, new.price_scale,
                    new.size_scale, new.venue_time, new.received_time, new.is_aggregate, new.is_backfill,
                    (SELECT nextval('market.trade_batch')) * 16777216 + new.place
                FROM unnest(
                    \(batch.instrument)::integer[], \(batch.id)::text[], \(batch.side)::smallint[],
                    \(batch.price)::bigint[], \(batch.size)::bigint[], \(batch.priceScale)::smallint[],
                    \(batch.sizeScale)::smallint[], \(batch.venueTime)::bigint[],
                    \(batch.receivedTime)::bigint[], \(batch.isAggregate)::boolean[],
                    \(batch.isBackfill)::boolean[])
                    WITH ORDINALITY AS new (number, trade_id, side, price, size, price_scale, size_scale,
                    venue_time, received_time, is_aggregate, is_backfill, place)
                JOIN named ON named.number = new.number
                ON CONFLICT DO NOTHING
                RETURNING instrument_id
            )
            SELECT named.number, count(inserted.instrument_id)
            FROM named LEFT JOIN inserted ON inserted.instrument_id = named.instrument_id
            GROUP BY named.number
            """
        ) { row in (number: Int(try row.int32()), inserted: Int(try row.int64())) }
    }
}

extension Database {
    /// Stores trades in one transaction, as ``Session/insert(_:)`` does.
    ///
    /// A large batch of live trades is copied first, which costs half; when the table refuses that because it
    /// has one of them already, nothing was stored, and the batch is inserted.
    ///
    /// After an error whose disposition is to retry, the same batch may be stored again, also when the
    /// outcome is unknown: there will be neither a hole nor a duplicate.
    ///
    /// - Throws: ``StoreError``.
    package func insert(_ batch: TradeBatch) async throws(StoreError) -> [StoredTrades] {
        if batch.isEmpty { return [] }
        if batch.isLikelyNew {
            do throws(StoreError) {
                return try await transaction { session in try session.copy(batch) }
            } catch {
                guard error.sqlState == CopyTrades.uniqueViolation else { throw error }
            }
        }
        return try await transaction { session in try session.insert(batch) }
    }
}
