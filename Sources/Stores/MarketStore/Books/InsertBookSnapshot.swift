public import Instruments
public import MarketData
public import Store

/// Stores a book as the one of its minute, by venue time, or by time of receipt where the venue gives none.
///
/// Within a minute the newest wins, whatever the order of storing: a row is replaced unless it is newer. So
/// the last book of each minute stays, and storing one twice changes nothing. `execute` returns 1 when it
/// was stored and 0 when a newer one was there or the instrument is unknown.
public struct InsertBookSnapshot: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO market.book_snapshot AS old (
            instrument_id, minute_unix_nanos, venue_time_unix_nanos, received_time_unix_nanos, state, reason,
            detail, price_scale, size_scale, bid_prices, bid_sizes, ask_prices, ask_sizes, producer, epoch,
            sequence)
        SELECT instrument_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
        FROM market.instrument WHERE venue = $1 AND symbol = $2
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
        """

    private static let minute: Int64 = 60_000_000_000

    private let snapshot: BookSnapshot
    private let id: InstrumentID

    /// Takes a book of an instrument that is stored in `market.instrument`.
    public init(_ snapshot: BookSnapshot, of id: InstrumentID) {
        self.snapshot = snapshot
        self.id = id
    }

    /// Appends one parameter per column.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(Self.minute(of: snapshot.venueTime ?? snapshot.receivedTime))
        parameters.append(snapshot.venueTime?.nanoseconds)
        parameters.append(snapshot.receivedTime.nanoseconds)
        parameters.append(Int16(snapshot.state.rawValue))
        parameters.append(Int16(snapshot.reason.rawValue))
        parameters.append(snapshot.detail)
        parameters.append(Int16(snapshot.priceScale.places))
        parameters.append(Int16(snapshot.sizeScale.places))
        for side in [snapshot.bids, snapshot.asks] {
            parameters.append(side.map(\.price.rawValue))
            parameters.append(side.map(\.size.rawValue))
        }
        parameters.append(snapshot.continues?.producer)
        // The same 64 bits: a number from 2^63 on reads as negative in SQL.
        parameters.append(snapshot.continues.map { Int64(bitPattern: $0.epoch) })
        parameters.append(snapshot.continues.map { Int64(bitPattern: $0.sequence) })
    }

    /// The start of the minute; the first one of the range begins late, as its start does not fit.
    static func minute(of time: Timestamp) -> Int64 {
        let remainder = time.nanoseconds % minute
        let start = time.nanoseconds - remainder
        return remainder < 0 && start >= Int64.min + minute ? start - minute : start
    }
}
