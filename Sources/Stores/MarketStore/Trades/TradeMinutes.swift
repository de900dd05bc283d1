public import Instruments
public import Store

/// How many trades of an instrument a minute has.
public struct TradeMinute: Sendable, Hashable {
    /// The first instant of the minute, by venue time.
    public let start: Timestamp
    /// Number of trades.
    public let count: Int64

    /// Counts a minute.
    public init(start: Timestamp, count: Int64) {
        self.start = start
        self.count = count
    }
}

/// The minutes of a span that have trades, oldest first: to find candles that miss some.
///
/// - Complexity: Reads the span in an index.
public struct TradeMinutes: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT
            venue_time_unix_nanos - (venue_time_unix_nanos % 60000000000 + 60000000000) % 60000000000
                AS minute,
            count(*)
        FROM market.trade
        WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
            AND venue_time_unix_nanos >= $3 AND venue_time_unix_nanos < $4
        GROUP BY minute ORDER BY minute
        """

    private let id: InstrumentID
    private let from: Timestamp
    private let to: Timestamp

    /// Asks for the minutes of a span.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - from: Included.
    ///   - to: Excluded.
    public init(_ id: InstrumentID, from: Timestamp, to: Timestamp) {
        self.id = id
        self.from = from
        self.to = to
    }

    /// Appends name and span.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(from.nanoseconds)
        parameters.append(to.nanoseconds)
    }

    /// Reads a minute.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> TradeMinute {
        TradeMinute(start: try row.nanoseconds(), count: try row.int64())
    }
}
