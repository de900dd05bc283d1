public import Instruments
public import Store

/// Lists the stored instruments, sorted by venue and symbol.
public struct ListInstruments: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(InstrumentColumns.list) FROM market.instrument
        WHERE $1::text IS NULL OR venue = $1
        ORDER BY venue, symbol
        """

    private let venue: Venue?

    /// - Parameter venue: `nil` for all venues.
    public init(venue: Venue? = nil) { self.venue = venue }

    /// Appends the venue.
    public func bind(_ parameters: inout Parameters) { parameters.append(venue?.rawValue) }

    /// Reads an instrument.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Instrument {
        try InstrumentColumns.read(&row)
    }
}

/// Finds one stored instrument.
public struct FindInstrument: Statement {
    /// The statement's text.
    public static let sql =
        "SELECT \(InstrumentColumns.list) FROM market.instrument WHERE venue = $1 AND symbol = $2"

    private let id: InstrumentID

    /// Names the instrument.
    public init(_ id: InstrumentID) { self.id = id }

    /// Appends the name.
    public func bind(_ parameters: inout Parameters) { parameters.append(id) }

    /// Reads the instrument.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Instrument {
        try InstrumentColumns.read(&row)
    }
}

/// The instruments of which trades or candles of a minute are stored, sorted by venue and symbol: those that
/// somebody may want to hear of before anything new happens.
public struct ListTapes: Statement {
    /// The statement's text.
    ///
    /// One look into an index each: the joins are lateral so that no plan reads the whole of a table.
    public static let sql = """
        SELECT i.venue, i.symbol FROM market.instrument AS i
        LEFT JOIN LATERAL (
            SELECT 1 AS found FROM market.trade AS t WHERE t.instrument_id = i.instrument_id
            ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS trade ON true
        LEFT JOIN LATERAL (
            SELECT 1 AS found FROM market.candle AS c
            WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
            ORDER BY c.start_unix_nanos DESC LIMIT 1) AS minute ON true
        WHERE trade.found = 1 OR minute.found = 1
        ORDER BY i.venue, i.symbol
        """

    /// Asks for all of them.
    public init() {}

    /// Appends nothing.
    public func bind(_ parameters: inout Parameters) {}

    /// Reads a name.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> InstrumentID {
        try row.instrumentID()
    }
}

/// The columns of an instrument, and how they are read.
private enum InstrumentColumns {
    static let list = """
        venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, lot_size, contract_multiplier,
        is_inverse
        """

    static func read(_ row: inout RowReader) throws(StoreError) -> Instrument {
        let id = try row.instrumentID()
        let base = Asset(rawValue: try row.text())
        let quote = Asset(rawValue: try row.text())
        guard let kind = InstrumentKind(rawValue: try row.text()) else { throw row.refusal() }
        return Instrument(
            id: id, base: base, quote: quote, kind: kind, priceScale: try row.scale(),
            sizeScale: try row.scale(),
            tickSize: try row.decimalOrNil(), lotSize: try row.decimalOrNil(),
            contractMultiplier: try row.decimalOrNil(), isInverse: try row.bool())
    }
}
