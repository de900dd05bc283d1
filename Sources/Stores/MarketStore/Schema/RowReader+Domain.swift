package import Instruments
package import Store

extension RowReader {
    /// A `smallint` that is a scale.
    mutating func scale() throws(StoreError) -> Scale {
        guard let scale = Scale(Int(try int16())) else { throw refusal() }
        return scale
    }

    /// A `bigint` of nanoseconds since 1970-01-01 UTC.
    mutating func nanoseconds() throws(StoreError) -> Timestamp { Timestamp(nanoseconds: try int64()) }

    /// A `bigint` of nanoseconds since 1970-01-01 UTC, or NULL.
    mutating func nanosecondsOrNil() throws(StoreError) -> Timestamp? {
        try int64OrNil().map { Timestamp(nanoseconds: $0) }
    }

    /// A `timestamptz`.
    mutating func time() throws(StoreError) -> Timestamp { Timestamp(nanoseconds: try timestamp()) }

    /// A `timestamptz` or NULL.
    mutating func timeOrNil() throws(StoreError) -> Timestamp? {
        try timestampOrNil().map { Timestamp(nanoseconds: $0) }
    }

    /// A `numeric` or NULL.
    mutating func decimalOrNil() throws(StoreError) -> DecimalNumber? {
        guard let numeric = try numericOrNil() else { return nil }
        guard let number = try? DecimalNumber(parsing: numeric.description) else { throw refusal() }
        return number
    }

    /// Two `text` columns: venue and symbol.
    mutating func instrumentID() throws(StoreError) -> InstrumentID {
        InstrumentID(venue: Venue(rawValue: try text()), symbol: try text())
    }
}

/// A `timestamptz`; a column of nanoseconds takes ``Timestamp/nanoseconds``.
extension Timestamp: SQLParameter {
    package var sqlValue: TimestampValue { TimestampValue(unixNanoseconds: nanoseconds) }
}

extension Query.StringInterpolation {
    /// The key of an instrument, as a subselect.
    mutating func appendInterpolation(keyOf id: InstrumentID) {
        appendLiteral("(SELECT instrument_id FROM market.instrument WHERE venue = ")
        appendInterpolation(id.venue.rawValue)
        appendLiteral(" AND symbol = ")
        appendInterpolation(id.symbol)
        appendLiteral(")")
    }

    /// Names of instruments as the rows of `wanted (venue, symbol, number)`, numbered from 1.
    mutating func appendInterpolation(wanted instruments: [InstrumentID]) {
        appendLiteral("unnest(")
        appendInterpolation(instruments.map(\.venue.rawValue))
        appendLiteral("::text[], ")
        appendInterpolation(instruments.map(\.symbol))
        appendLiteral("::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)")
    }
}

extension Numeric {
    init(_ number: DecimalNumber) { self.init(units: number.units, scale: number.scale.places) }
}
