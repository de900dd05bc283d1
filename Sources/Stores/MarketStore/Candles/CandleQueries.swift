public import Instruments
public import Store

/// The candles of an instrument for a chart, newest first.
///
/// One index scan: the index begins with instrument and length, and partitions follow each other in time.
public struct CandlesBetween: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(CandleColumns.list) FROM market.candle
        WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
            AND interval_seconds = $3 AND start_unix_nanos >= $4 AND start_unix_nanos < $5
        ORDER BY start_unix_nanos DESC
        LIMIT $6
        """

    private let id: InstrumentID
    private let kind: CandleKind
    private let from: Timestamp
    private let to: Timestamp
    private let limit: Int

    /// Asks for the newest candles that begin in a span of venue time.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - kind: Their length.
    ///   - from: Included.
    ///   - to: Excluded.
    ///   - limit: At most so many; nothing for less than 1.
    public init(_ id: InstrumentID, _ kind: CandleKind, from: Timestamp, to: Timestamp, limit: Int) {
        self.id = id
        self.kind = kind
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// Appends name, length, span and limit.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(kind.rawValue)
        parameters.append(from.nanoseconds)
        parameters.append(to.nanoseconds)
        parameters.append(Int64(max(limit, 0)))
    }

    /// Reads a candle.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> CandleRow {
        try CandleColumns.read(&row)
    }
}

/// A candle and whose it is.
public struct InstrumentCandle: Sendable, Hashable {
    /// What was traded.
    public let instrument: InstrumentID
    /// The candle.
    public let candle: CandleRow
}

/// The newest stored candle of each length of each of some instruments, to go on from after a start.
public struct NewestCandles: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT wanted.venue, wanted.symbol, newest.*
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
        JOIN market.instrument AS i USING (venue, symbol)
        CROSS JOIN unnest($3::integer[]) AS length (seconds)
        CROSS JOIN LATERAL (
            SELECT \(CandleColumns.list) FROM market.candle AS c
            WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = length.seconds
            ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
        ORDER BY wanted.number, length.seconds
        """

    private let instruments: [InstrumentID]
    private let kinds: [CandleKind]

    /// Names the instruments and the lengths.
    public init(_ instruments: [InstrumentID], _ kinds: [CandleKind] = CandleKind.allCases) {
        self.instruments = instruments
        self.kinds = kinds
    }

    /// Appends names and lengths.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(instruments.map(\.venue.rawValue))
        parameters.append(instruments.map(\.symbol))
        parameters.append(kinds.map(\.rawValue))
    }

    /// Reads a candle and its instrument.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> InstrumentCandle {
        InstrumentCandle(instrument: try row.instrumentID(), candle: try CandleColumns.read(&row))
    }
}

/// The newest trade and candle of each of some instruments.
public struct StoredEnds: Sendable, Hashable {
    /// Whose.
    public let instrument: InstrumentID
    /// Venue time of the newest trade; `nil` without one.
    public let trade: Timestamp?
    /// Start of the newest candle of one minute; `nil` without one.
    public let minute: Timestamp?

    /// Describes how far an instrument is stored.
    public init(instrument: InstrumentID, trade: Timestamp?, minute: Timestamp?) {
        self.instrument = instrument
        self.trade = trade
        self.minute = minute
    }
}

/// How far each of some instruments is stored, in the order of the question; unknown ones are left out.
public struct NewestStored: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT
            wanted.venue, wanted.symbol,
            (SELECT t.venue_time_unix_nanos FROM market.trade AS t
                WHERE t.instrument_id = i.instrument_id ORDER BY t.venue_time_unix_nanos DESC LIMIT 1),
            (SELECT c.start_unix_nanos FROM market.candle AS c
                WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
                ORDER BY c.start_unix_nanos DESC LIMIT 1)
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
        JOIN market.instrument AS i USING (venue, symbol)
        ORDER BY wanted.number
        """

    private let instruments: [InstrumentID]

    /// Names the instruments.
    public init(_ instruments: [InstrumentID]) { self.instruments = instruments }

    /// Appends the names.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(instruments.map(\.venue.rawValue))
        parameters.append(instruments.map(\.symbol))
    }

    /// Reads two times.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredEnds {
        StoredEnds(
            instrument: try row.instrumentID(),
            trade: try row.int64OrNil().map { Timestamp(nanoseconds: $0) },
            minute: try row.int64OrNil().map { Timestamp(nanoseconds: $0) })
    }
}
