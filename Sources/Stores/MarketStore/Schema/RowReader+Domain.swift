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

extension Parameters {
    /// Two `text` parameters: venue and symbol.
    mutating func append(_ id: InstrumentID) {
        append(id.venue.rawValue)
        append(id.symbol)
    }
}

extension Numeric {
    init(_ number: DecimalNumber) { self.init(units: number.units, scale: number.scale.places) }
}
