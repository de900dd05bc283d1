import Instruments
import MarketState
package import Store

/// What became of a batch of candles.
package struct StoredCandles: Sendable, Hashable {
    /// How many the batch had.
    package var offered: Int
    /// How many are new or changed; the others were there already, or were written under a newer lease.
    package var written: Int

    package init(offered: Int, written: Int) {
        self.offered = offered
        self.written = written
    }
}

extension Session {
    /// Stores candles under leases: new ones are added, changed ones replaced, equal ones left alone.
    ///
    /// The leases are checked first and held until the transaction ends, so no one else can take them over in
    /// between. Idempotent: a batch whose outcome is unknown may be stored again. Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``StoreError/body(_:)`` with a ``MarketStoreError`` when a lease is not
    ///   held,
    ///   an instrument is unknown or the batch spans too many partitions. Nothing is stored then.
    package func store(_ batch: CandleBatch, under claims: LeaseClaims) throws(StoreError) -> StoredCandles {
        guard !batch.isEmpty else { return StoredCandles(offered: 0, written: 0) }
        let shards = batch.instruments.map { Shard(of: $0) }
        try check(Set(shards), of: claims)
        return try store(batch, epochs: shards.map { claims.epochs[$0] ?? 0 })
    }

    /// Fills holes without a lease, as for history: adds what is missing, replaces what was filled in before
    /// and closed candles that are incomplete, and never anything else.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: As ``store(_:under:)``.
    package func fill(_ batch: CandleBatch) throws(StoreError) -> StoredCandles {
        try store(batch, epochs: batch.instruments.map { _ in 0 })
    }

    private func store(_ batch: CandleBatch, epochs: [Int64]) throws(StoreError) -> StoredCandles {
        guard !batch.isEmpty else { return StoredCandles(offered: 0, written: 0) }
        let places = batch.partitions
        let limit = CandleBatch.maximumPartitions
        guard places.count <= limit else {
            throw .body(MarketStoreError.tooManyPartitions(found: places.count, limit: limit))
        }
        let numbers = try rows(
            """
            SELECT known.instrument_id
            FROM \(wanted: batch.instruments)
            LEFT JOIN market.instrument AS known USING (venue, symbol)
            ORDER BY wanted.number
            """
        ) { try $0.int32OrNil() }
        let unknown = zip(batch.instruments, numbers).filter { $0.1 == nil }.map(\.0)
        guard unknown.isEmpty else { throw .body(MarketStoreError.unknownInstruments(unknown)) }
        try ensureCandlePartitions(places)
        try script(StagedCandle.tableSQL)
        try copy(
            batch.rows.lazy.map { row in
                StagedCandle(
                    instrument: numbers[row.instrument] ?? 0, epoch: epochs[row.instrument],
                    candle: row.candle)
            })
        return StoredCandles(offered: batch.count, written: try mergeCandles())
    }

    /// Moves the temporary table into `market.candle`, by key, so that two writers never wait crosswise.
    private func mergeCandles() throws(StoreError) -> Int {
        try execute(
            """
            INSERT INTO market.candle AS old (
                instrument_id, interval_seconds, start_unix_nanos, open_time_unix_nanos,
                close_time_unix_nanos, open, high, low, close, trade_count, lease_epoch, price_scale,
                size_scale, flags, volume, taker_buy_volume, notional, written_at)
            SELECT
                instrument_id, interval_seconds, start_unix_nanos, open_time_unix_nanos,
                close_time_unix_nanos, open, high, low, close, trade_count, lease_epoch, price_scale,
                size_scale, flags,
                -- Once here instead of at every reading.
                trim_scale(volume), trim_scale(taker_buy_volume), trim_scale(notional), clock_timestamp()
            FROM pg_temp.candle_batch
            ORDER BY instrument_id, interval_seconds, start_unix_nanos
            ON CONFLICT (instrument_id, interval_seconds, start_unix_nanos) DO UPDATE SET
                open_time_unix_nanos = excluded.open_time_unix_nanos,
                close_time_unix_nanos = excluded.close_time_unix_nanos,
                open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
                trade_count = excluded.trade_count, lease_epoch = excluded.lease_epoch,
                price_scale = excluded.price_scale, size_scale = excluded.size_scale, flags = excluded.flags,
                volume = excluded.volume, taker_buy_volume = excluded.taker_buy_volume,
                notional = excluded.notional, written_at = excluded.written_at
            WHERE (old.lease_epoch <= excluded.lease_epoch
                    -- What is filled in without a lease may mend what is over and incomplete.
                    OR excluded.lease_epoch = 0 AND old.flags & 3 = 3 AND excluded.flags & 2 = 0)
                AND (old.open_time_unix_nanos, old.close_time_unix_nanos, old.open, old.high, old.low,
                    old.close, old.trade_count, old.price_scale, old.size_scale, old.flags, old.volume,
                    old.taker_buy_volume, old.notional)
                IS DISTINCT FROM (excluded.open_time_unix_nanos, excluded.close_time_unix_nanos,
                    excluded.open, excluded.high, excluded.low, excluded.close, excluded.trade_count,
                    excluded.price_scale, excluded.size_scale, excluded.flags, excluded.volume,
                    excluded.taker_buy_volume, excluded.notional)
            """)
    }
}

extension Database {
    /// Stores candles in one transaction, as ``Session/store(_:under:)`` does.
    ///
    /// A batch that is refused because a lease is no longer held is counted in `market.lease`.
    ///
    /// - Throws: ``StoreError``.
    package func store(
        _ batch: CandleBatch, under claims: LeaseClaims
    ) async throws(StoreError) -> StoredCandles {
        if batch.isEmpty { return StoredCandles(offered: 0, written: 0) }
        return try await fenced(claims) { session in try session.store(batch, under: claims) }
    }

    /// Fills holes in one transaction, as ``Session/fill(_:)`` does.
    ///
    /// - Throws: ``StoreError``.
    package func fill(_ batch: CandleBatch) async throws(StoreError) -> StoredCandles {
        if batch.isEmpty { return StoredCandles(offered: 0, written: 0) }
        return try await transaction { session in try session.fill(batch) }
    }
}

/// A candle on its way through the connection's own temporary table.
struct StagedCandle: CopyRow {
    /// The table lives as long as the connection and is empty after each transaction.
    static let tableSQL = """
        CREATE TEMPORARY TABLE IF NOT EXISTS candle_batch (
            instrument_id integer, interval_seconds integer, start_unix_nanos bigint,
            open_time_unix_nanos bigint, close_time_unix_nanos bigint, open bigint, high bigint, low bigint,
            close bigint, trade_count bigint, lease_epoch bigint, price_scale smallint, size_scale smallint,
            flags smallint, volume numeric, taker_buy_volume numeric, notional numeric
        ) ON COMMIT DELETE ROWS
        """
    static let copySQL = "COPY pg_temp.candle_batch FROM STDIN (FORMAT binary)"
    static let columnCount = 17

    let instrument: Int32
    let epoch: Int64
    let candle: CandleRow

    func write(_ row: inout CopyWriter) {
        row.append(instrument)
        row.append(candle.interval.sqlValue)
        row.append(candle.start.nanoseconds)
        row.append(candle.openTime.nanoseconds)
        row.append(candle.closeTime.nanoseconds)
        for price in [candle.open, candle.high, candle.low, candle.close] { row.append(price.rawValue) }
        row.append(candle.tradeCount)
        row.append(epoch)
        row.append(Int16(candle.priceScale.places))
        row.append(Int16(candle.sizeScale.places))
        row.append(Int16(candle.flags.rawValue))
        row.append(candle.volume)
        row.append(candle.takerBuyVolume)
        row.append(candle.notional)
    }
}
