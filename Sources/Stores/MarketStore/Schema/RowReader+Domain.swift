package import Instruments
package import Store

extension RowReader {
    /// A `smallint` that is a scale.
    mutating func scale() throws(StoreError) -> Scale {
        guard let scale = Scale(Int(try int16())) else { throw refusal() }
        return scale
    }

    /// A `bigint` of nanoseconds since 1970-01-01 UTC.
    package mutating func nanoseconds() throws(StoreError) -> Timestamp {
        Timestamp(nanoseconds: try int64())
    }

    /// A `bigint` of nanoseconds since 1970-01-01 UTC, or NULL.
    mutating func nanosecondsOrNil() throws(StoreError) -> Timestamp? {
        try int64OrNil().map { Timestamp(nanoseconds: $0) }
    }

    /// A `timestamptz`.
    package mutating func time() throws(StoreError) -> Timestamp { Timestamp(nanoseconds: try timestamp()) }

    /// A `timestamptz` or NULL.
    package mutating func timeOrNil() throws(StoreError) -> Timestamp? {
        try timestampOrNil().map { Timestamp(nanoseconds: $0) }
    }

    /// A word of an enumeration.
    package mutating func word<Word: RawRepresentable<String>>(_ type: Word.Type) throws(StoreError) -> Word {
        guard let word = Word(rawValue: try text()) else { throw refusal() }
        return word
    }

    /// A `smallint` that is a shard.
    package mutating func shard() throws(StoreError) -> Shard {
        guard let number = UInt8(exactly: try int16()) else { throw refusal() }
        return Shard(rawValue: number)
    }

    /// A `numeric` or NULL.
    mutating func decimalOrNil() throws(StoreError) -> DecimalNumber? {
        guard let numeric = try numericOrNil() else { return nil }
        guard let number = try? DecimalNumber(parsing: numeric.description) else { throw refusal() }
        return number
    }

    /// Two `text` columns: venue and symbol.
    package mutating func instrumentID() throws(StoreError) -> InstrumentID {
        InstrumentID(venue: Venue(rawValue: try text()), symbol: try text())
    }
}

/// A `timestamptz`; a column of nanoseconds takes ``Timestamp/nanoseconds``.
extension Timestamp: SQLParameter {
    package var sqlValue: TimestampValue { TimestampValue(unixNanoseconds: nanoseconds) }
}

extension Timestamp {
    /// As a `timestamptz` keeps it, so that what a change returns equals what is read later.
    package var inMicroseconds: Timestamp {
        let (microseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        return Timestamp(nanoseconds: (rest < 0 ? microseconds - 1 : microseconds) * 1_000)
    }
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
