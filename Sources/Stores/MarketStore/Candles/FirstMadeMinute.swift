public import Instruments
public import Store

/// When the trade was that opened an instrument's oldest stored minute that is made of trades; no row without
/// one.
///
/// A venue's own minutes may be of long before the instrument was followed: they say nothing of its tape.
public struct FirstMadeMinute: Statement {
    /// The statement's text: a walk over the venue's minutes at the beginning of the index.
    public static let sql = """
        SELECT open_time_unix_nanos
        FROM market.candle
        WHERE instrument_id = (
                SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
            AND interval_seconds = 60 AND flags & 4 = 0
        ORDER BY start_unix_nanos LIMIT 1
        """

    private let id: InstrumentID

    /// Names the instrument.
    public init(_ id: InstrumentID) { self.id = id }

    /// Appends its name.
    public func bind(_ parameters: inout Parameters) { parameters.append(id) }

    /// Reads a time.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Timestamp {
        try row.nanoseconds()
    }
}
