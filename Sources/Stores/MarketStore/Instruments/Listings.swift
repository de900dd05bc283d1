public import Instruments
public import Store

/// The venues of which instruments are stored, and what they trade against what: each pair of assets once.
public struct ListPairs: Statement {
    /// A pair of assets on a venue.
    public struct Row: Hashable, Sendable {
        /// Where.
        public var venue: Venue
        /// What is traded.
        public var base: Asset
        /// What the price is in.
        public var quote: Asset
    }

    /// The statement's text.
    public static let sql = """
        SELECT DISTINCT venue, base, quote FROM market.instrument ORDER BY venue, base, quote
        """

    /// One statement.
    public init() {}

    /// Reads a pair.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        Row(
            venue: Venue(rawValue: try row.text()), base: Asset(rawValue: try row.text()),
            quote: Asset(rawValue: try row.text()))
    }
}

/// An instrument with its number: one that was stored later has a higher one.
public struct Listing: Hashable, Sendable {
    /// The number.
    public var number: Int64
    /// What is listed.
    public var instrument: InstrumentID
    /// What is traded.
    public var base: Asset
    /// What the price is in.
    public var quote: Asset
    /// When the venue said of it what is stored.
    public var time: Timestamp
}

/// What a venue lists that was stored after a number.
///
/// Numbers are taken before their rows can be seen: between ``LockInstruments`` and the end of its
/// transaction no lower one is still to come.
public struct ListedSince: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT instrument_id::bigint, venue, symbol, base, quote, updated_at FROM market.instrument
        WHERE venue = $1 AND instrument_id > $2 ORDER BY instrument_id
        """

    private let venue: Venue
    private let number: Int64

    /// Names the venue and the last number that is known; 0 for none.
    public init(on venue: Venue, after number: Int64) {
        self.venue = venue
        self.number = number
    }

    /// Appends both.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(venue.rawValue)
        parameters.append(number)
    }

    /// Reads a listing.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Listing {
        Listing(
            number: try row.int64(), instrument: try row.instrumentID(),
            base: Asset(rawValue: try row.text()),
            quote: Asset(rawValue: try row.text()), time: Timestamp(nanoseconds: try row.timestamp()))
    }
}

/// Waits until nobody is storing instruments, and keeps it so until the transaction ends.
public struct LockInstruments: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = "LOCK TABLE market.instrument IN SHARE MODE"

    /// One statement.
    public init() {}
}
