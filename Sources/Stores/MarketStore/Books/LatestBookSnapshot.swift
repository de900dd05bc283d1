public import Instruments
public import MarketData
public import Store

/// The newest stored book of an instrument.
public struct LatestBookSnapshot: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT
            state, reason, detail, price_scale, size_scale, bid_prices, bid_sizes, ask_prices, ask_sizes,
            producer, epoch, sequence, venue_time_unix_nanos, received_time_unix_nanos
        FROM market.book_snapshot
        WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
            AND minute_unix_nanos <= $3
        ORDER BY minute_unix_nanos DESC
        LIMIT 1
        """

    private let id: InstrumentID
    private let time: Timestamp?

    /// Asks for the last book of a minute that began by a time; for the newest of all without one.
    public init(_ id: InstrumentID, at time: Timestamp? = nil) {
        self.id = id
        self.time = time
    }

    /// Appends name and time.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(time?.nanoseconds ?? Int64.max)
    }

    /// Reads a book.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> BookSnapshot {
        guard let state = BookState(rawValue: UInt8(truncatingIfNeeded: try row.int16())) else {
            throw row.refusal()
        }
        guard let reason = BookStateReason(rawValue: UInt8(truncatingIfNeeded: try row.int16()))
        else { throw row.refusal() }
        return BookSnapshot(
            state: state, reason: reason, detail: try row.text(), priceScale: try row.scale(),
            sizeScale: try row.scale(), bids: try levels(&row), asks: try levels(&row),
            continues: try position(&row),
            venueTime: try row.int64OrNil().map { Timestamp(nanoseconds: $0) },
            receivedTime: try row.nanoseconds())
    }

    private static func levels(_ row: inout RowReader) throws(StoreError) -> [BookLevel] {
        let prices = try row.int64Array()
        let sizes = try row.int64Array()
        guard prices.count == sizes.count else {
            throw row.refusal(.count(expected: prices.count, found: sizes.count))
        }
        return zip(prices, sizes).map { BookLevel(price: Price($0), size: Quantity($1)) }
    }

    private static func position(_ row: inout RowReader) throws(StoreError) -> StreamPosition? {
        let producer = try row.textOrNil()
        let epoch = try row.int64OrNil()
        let sequence = try row.int64OrNil()
        guard let producer, let epoch, let sequence else { return nil }
        return StreamPosition(
            producer: producer, epoch: UInt64(bitPattern: epoch), sequence: UInt64(bitPattern: sequence))
    }
}
