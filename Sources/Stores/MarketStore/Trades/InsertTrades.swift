import Instruments
public import Store

extension Session {
    /// Stores the trades that are not stored yet, and makes the partitions of their days.
    ///
    /// Idempotent: a trade is known by its instrument, its id, its id space and its UTC day. Trades of equal
    /// venue time keep the batch's order.
    ///
    /// - Returns: One entry per instrument of the batch; empty for an empty batch.
    /// - Throws: ``StoreError``; ``StoreError/body(_:)`` with a ``MarketStoreError`` when an instrument is
    ///   unknown or the batch spans too many days. Nothing of the batch is stored then.
    public func insert(_ batch: TradeBatch) throws(StoreError) -> [StoredTrades] {
        guard !batch.isEmpty else { return [] }
        try batch.checkDays()
        let unknown = try rows(UnknownInstruments(batch.instruments))
        guard unknown.isEmpty else { throw .body(MarketStoreError.unknownInstruments(unknown)) }
        try execute(EnsureTradePartitions(days: batch.days.sorted()))
        var stored = batch.last
        for (number, inserted) in try rows(InsertTrades(batch: batch)) {
            guard stored.indices.contains(number - 1) else { continue }
            stored[number - 1].inserted = inserted
        }
        return stored
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
    public func insert(_ batch: TradeBatch) async throws(StoreError) -> [StoredTrades] {
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

/// Makes partitions for days since 1970-01-01 UTC; one after the other when several programs do so.
struct EnsureTradePartitions: Statement {
    /// A batch of live trades has one or two days, a long backfill a few.
    static let maximumDays = 400
    static let sql = """
        SELECT count(*) FILTER (WHERE made)::integer
        FROM (SELECT market.ensure_trade_partition(date '1970-01-01' + day) AS made
            FROM unnest($1::integer[]) AS wanted (day)) AS partitions
        """

    let days: [Int32]

    func bind(_ parameters: inout Parameters) { parameters.append(days) }
    /// How many partitions are new.
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int { Int(try row.int32()) }
}

/// Those of the instruments that have no row.
struct UnknownInstruments: Statement {
    static let sql = """
        SELECT wanted.venue, wanted.symbol
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
        LEFT JOIN market.instrument AS known USING (venue, symbol)
        WHERE known.instrument_id IS NULL
        ORDER BY wanted.number
        """

    let instruments: [InstrumentID]

    init(_ instruments: [InstrumentID]) { self.instruments = instruments }

    func bind(_ parameters: inout Parameters) {
        parameters.append(instruments.map(\.venue.rawValue))
        parameters.append(instruments.map(\.symbol))
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> InstrumentID { try row.instrumentID() }
}

/// Inserts a batch and says how many rows of each of its instruments are new.
///
/// One statement with an array per column: measured as fast as COPY into a staging table at a thousand rows,
/// and it takes ON CONFLICT. A name without an instrument becomes a NULL that the table refuses.
struct InsertTrades: Statement {
    static let sql = """
        WITH named AS MATERIALIZED (
            SELECT wanted.number::integer AS number, known.instrument_id
            FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
            LEFT JOIN market.instrument AS known USING (venue, symbol)
        ), inserted AS (
            INSERT INTO market.trade (
                instrument_id, trade_id, side, price, size, price_scale, size_scale, venue_time_unix_nanos,
                received_time_unix_nanos, is_aggregate, is_backfill, arrival)
            SELECT
                named.instrument_id, new.trade_id, new.side, new.price, new.size, new.price_scale,
                new.size_scale, new.venue_time, new.received_time, new.is_aggregate, new.is_backfill,
                (SELECT nextval('market.trade_batch')) * 16777216 + new.place
            FROM unnest(
                $3::integer[], $4::text[], $5::smallint[], $6::bigint[], $7::bigint[], $8::smallint[],
                $9::smallint[], $10::bigint[], $11::bigint[], $12::boolean[], $13::boolean[])
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

    let batch: TradeBatch

    func bind(_ parameters: inout Parameters) {
        parameters.append(batch.instruments.map(\.venue.rawValue))
        parameters.append(batch.instruments.map(\.symbol))
        parameters.append(batch.instrument)
        parameters.append(batch.id)
        parameters.append(batch.side)
        parameters.append(batch.price)
        parameters.append(batch.size)
        parameters.append(batch.priceScale)
        parameters.append(batch.sizeScale)
        parameters.append(batch.venueTime)
        parameters.append(batch.receivedTime)
        parameters.append(batch.isAggregate)
        parameters.append(batch.isBackfill)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> (number: Int, inserted: Int) {
        (number: Int(try row.int32()), inserted: Int(try row.int64()))
    }
}
