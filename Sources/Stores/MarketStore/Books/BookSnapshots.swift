package import Instruments
package import MarketData
package import Store

extension Database {
    /// Stores a book as the one of its minute, by venue time, or by time of receipt where the venue gives
    /// none.
    ///
    /// Within a minute the newest wins, whatever the order of storing: a row is replaced unless it is newer.
    /// So the last book of each minute stays, and storing one twice changes nothing.
    ///
    /// - Parameters:
    ///   - snapshot: The book.
    ///   - id: Its instrument.
    /// - Returns: False when a newer one was there or the instrument is unknown.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func store(_ snapshot: BookSnapshot, of id: InstrumentID) async throws(StoreError) -> Bool {
        let minute = (snapshot.venueTime ?? snapshot.receivedTime).minute
        // The same 64 bits: a number from 2^63 on reads as negative in SQL.
        let epoch = snapshot.continues.map { Int64(bitPattern: $0.epoch) }
        let sequence = snapshot.continues.map { Int64(bitPattern: $0.sequence) }
        let count = try await execute(
            """
            INSERT INTO market.book_snapshot AS old (
                instrument_id, minute_unix_nanos, venue_time_unix_nanos, received_time_unix_nanos, state,
                reason, detail, price_scale, size_scale, bid_prices, bid_sizes, ask_prices, ask_sizes,
                producer, epoch, sequence)
            SELECT instrument_id, \(minute), \(snapshot.venueTime?.nanoseconds),
                \(snapshot.receivedTime.nanoseconds), \(Int16(snapshot.state.rawValue)),
                \(Int16(snapshot.reason.rawValue)), \(snapshot.detail), \(Int16(snapshot.priceScale.places)),
                \(Int16(snapshot.sizeScale.places)), \(snapshot.bids.map(\.price.rawValue)),
                \(snapshot.bids.map(\.size.rawValue)), \(snapshot.asks.map(\.price.rawValue)),
                \(snapshot.asks.map(\.size.rawValue)), \(snapshot.continues?.producer), \(epoch), \(sequence)
            FROM market.instrument WHERE venue = \(id.venue.rawValue) AND symbol = \(id.symbol)
            ON CONFLICT (instrument_id, minute_unix_nanos) DO UPDATE SET
                venue_time_unix_nanos = excluded.venue_time_unix_nanos,
                received_time_unix_nanos = excluded.received_time_unix_nanos,
                state = excluded.state, reason = excluded.reason, detail = excluded.detail,
                price_scale = excluded.price_scale, size_scale = excluded.size_scale,
                bid_prices = excluded.bid_prices, bid_sizes = excluded.bid_sizes,
                ask_prices = excluded.ask_prices, ask_sizes = excluded.ask_sizes,
                producer = excluded.producer, epoch = excluded.epoch, sequence = excluded.sequence
            WHERE (coalesce(old.venue_time_unix_nanos, old.received_time_unix_nanos),
                old.received_time_unix_nanos)
                <= (coalesce(excluded.venue_time_unix_nanos, excluded.received_time_unix_nanos),
                excluded.received_time_unix_nanos)
            """)
        return count == 1
    }

    /// The last book of a minute that began by a time, or the newest of all without one.
    package func bookSnapshot(
        of id: InstrumentID, at time: Timestamp? = nil
    ) async throws(StoreError) -> BookSnapshot? {
        try await first(
            """
            SELECT
                state, reason, detail, price_scale, size_scale, bid_prices, bid_sizes, ask_prices, ask_sizes,
                producer, epoch, sequence, venue_time_unix_nanos, received_time_unix_nanos
            FROM market.book_snapshot
            WHERE instrument_id = \(keyOf: id)
                AND minute_unix_nanos <= \(time?.nanoseconds ?? Int64.max)
            ORDER BY minute_unix_nanos DESC
            LIMIT 1
            """, BookSnapshot.init)
    }
}

extension Timestamp {
    /// The start of the minute; the first one of the range begins late, as its start does not fit.
    fileprivate var minute: Int64 {
        let length: Int64 = 60_000_000_000
        let remainder = nanoseconds % length
        let start = nanoseconds - remainder
        return remainder < 0 && start >= Int64.min + length ? start - length : start
    }
}

extension BookSnapshot {
    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        guard let state = BookState(rawValue: UInt8(truncatingIfNeeded: try row.int16())) else {
            throw row.refusal()
        }
        guard let reason = BookStateReason(rawValue: UInt8(truncatingIfNeeded: try row.int16()))
        else { throw row.refusal() }
        self.init(
            state: state, reason: reason, detail: try row.text(), priceScale: try row.scale(),
            sizeScale: try row.scale(), bids: try row.levels(), asks: try row.levels(),
            continues: try row.position(), venueTime: try row.nanosecondsOrNil(),
            receivedTime: try row.nanoseconds())
    }
}

extension RowReader {
    /// Two `bigint[]`: prices and sizes.
    fileprivate mutating func levels() throws(StoreError) -> [BookLevel] {
        let prices = try int64Array()
        let sizes = try int64Array()
        guard prices.count == sizes.count else {
            throw refusal(.count(expected: prices.count, found: sizes.count))
        }
        return zip(prices, sizes).map { BookLevel(price: Price($0), size: Quantity($1)) }
    }

    fileprivate mutating func position() throws(StoreError) -> StreamPosition? {
        let producer = try textOrNil()
        let epoch = try int64OrNil()
        let sequence = try int64OrNil()
        guard let producer, let epoch, let sequence else { return nil }
        return StreamPosition(
            producer: producer, epoch: UInt64(bitPattern: epoch), sequence: UInt64(bitPattern: sequence))
    }
}
