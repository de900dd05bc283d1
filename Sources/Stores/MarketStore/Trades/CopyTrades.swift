import Store

extension TradeBatch {
    /// Whether it is worth trying to copy it.
    ///
    /// Of a few trades the further round trip costs more than it saves, and what is fetched after an
    /// interruption overlaps with what is stored.
    var isLikelyNew: Bool { count >= CopyTrades.minimum && !isBackfill.contains(true) }
}

extension Session {
    /// Stores a batch by COPY, and makes the partitions of its days.
    ///
    /// Inside a transaction only.
    ///
    /// - Returns: One entry per instrument of the batch.
    /// - Throws: ``StoreError``, as ``insert(_:)``; with the state ``CopyTrades/uniqueViolation`` when one
    ///   is stored already, or twice in the batch. Nothing of the batch is stored then.
    func copy(_ batch: TradeBatch) throws(StoreError) -> [StoredTrades] {
        try batch.checkDays()
        // A missing key says that the instrument is not known.
        let known = try rows(
            """
            WITH batch AS MATERIALIZED (SELECT nextval('market.trade_batch') AS number)
            SELECT known.instrument_id, batch.number
            FROM batch
            CROSS JOIN \(wanted: batch.instruments)
            LEFT JOIN market.instrument AS known USING (venue, symbol)
            ORDER BY wanted.number
            """
        ) { row in (id: try row.int32OrNil(), batch: try row.int64()) }
        let unknown = zip(batch.instruments, known).filter { $1.id == nil }.map(\.0)
        guard unknown.isEmpty else { throw .body(MarketStoreError.unknownInstruments(unknown)) }
        try ensureTradePartitions(days: batch.days.sorted())
        let rows = CopyTrades(batch, instruments: known.map { $0.id ?? 0 }, batch: known.first?.batch ?? 0)
        try copy(rows.order.lazy.map { CopyTrades.Row(batch: rows, place: Int($0)) })
        return batch.last.map { stored in
            var stored = stored
            stored.inserted = stored.offered
            return stored
        }
    }
}

/// The rows of a batch as COPY takes them.
///
/// A class, because a row is made for each trade and a batch is a dozen arrays.
final class CopyTrades: Sendable {
    /// Source: PostgreSQL 15 documentation, appendix A.
    static let uniqueViolation = "23505"
    /// Trades from which on copying is tried.
    static let minimum = 200

    /// Places in the batch, those of one instrument next to each other.
    ///
    /// So neighbouring rows go to the same pages of both indexes. Which of them came first is told by
    /// ``arrival(_:)``, not by the order here.
    let order: [Int32]
    fileprivate let trades: TradeBatch
    private let instruments: [Int32]
    private let number: Int64

    init(_ trades: TradeBatch, instruments: [Int32], batch number: Int64) {
        self.trades = trades
        self.instruments = instruments
        self.number = number
        // In the order of the keys, so that two batches with the same trades do not wait crosswise.
        let sorted = instruments.indices.sorted { instruments[$0] < instruments[$1] }
        var counts = [Int](repeating: 0, count: instruments.count)
        for instrument in trades.instrument { counts[Int(instrument) - 1] += 1 }
        var next = counts
        var start = 0
        for instrument in sorted {
            next[instrument] = start
            start += counts[instrument]
        }
        var order = [Int32](repeating: 0, count: trades.count)
        for (place, instrument) in trades.instrument.enumerated() {
            order[next[Int(instrument) - 1]] = Int32(place)
            next[Int(instrument) - 1] += 1
        }
        self.order = order
    }

    struct Row: CopyRow {
        static let copySQL = """
            COPY market.trade (instrument_id, side, price_scale, venue_time_unix_nanos,
            received_time_unix_nanos, price, size, arrival, size_scale, is_aggregate, is_backfill, trade_id)
            FROM STDIN (FORMAT binary)
            """
        static let columnCount = 12

        let batch: CopyTrades
        let place: Int

        func write(_ row: inout CopyWriter) {
            row.append(batch.instrument(place))
            row.append(batch.trades.side[place])
            row.append(batch.trades.priceScale[place])
            row.append(batch.trades.venueTime[place])
            row.append(batch.trades.receivedTime[place])
            row.append(batch.trades.price[place])
            row.append(batch.trades.size[place])
            row.append(batch.arrival(place))
            row.append(batch.trades.sizeScale[place])
            row.append(batch.trades.isAggregate[place])
            row.append(batch.trades.isBackfill[place])
            row.append(batch.trades.id[place])
        }
    }

    private func instrument(_ place: Int) -> Int32 { instruments[Int(trades.instrument[place]) - 1] }

    /// As ``Session/insert(_:)`` has it: the number of the batch times 2^24, plus the place in it, from 1.
    private func arrival(_ place: Int) -> Int64 { number << 24 | Int64(place + 1) }
}
