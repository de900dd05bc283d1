/// A Swift value with one PostgreSQL type in binary format.
package protocol SQLValue {
    static var sqlType: UInt32 { get }
    static var sqlArrayType: UInt32 { get }
    /// Appends the value without its length.
    func write(to bytes: inout [UInt8])
    /// Why the value cannot be sent, if it cannot.
    var problem: ValueProblem? { get }
}

extension SQLValue {
    package var problem: ValueProblem? { nil }
}

extension Int64: SQLValue {
    package static var sqlType: UInt32 { SQLType.int8 }
    package static var sqlArrayType: UInt32 { SQLType.int8Array }
    package func write(to bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
}

extension Int32: SQLValue {
    package static var sqlType: UInt32 { SQLType.int4 }
    package static var sqlArrayType: UInt32 { SQLType.int4Array }
    package func write(to bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
}

extension Int16: SQLValue {
    package static var sqlType: UInt32 { SQLType.int2 }
    package static var sqlArrayType: UInt32 { SQLType.int2Array }
    package func write(to bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
}

extension Bool: SQLValue {
    package static var sqlType: UInt32 { SQLType.bool }
    package static var sqlArrayType: UInt32 { SQLType.boolArray }
    package func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}

extension String: SQLValue {
    package static var sqlType: UInt32 { SQLType.text }
    package static var sqlArrayType: UInt32 { SQLType.textArray }
    package func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
    package var problem: ValueProblem? { utf8.contains(0) ? .containsNUL : nil }
}

extension Numeric: SQLValue {
    package static var sqlType: UInt32 { SQLType.numeric }
    package static var sqlArrayType: UInt32 { SQLType.numericArray }
}

/// A point in time for `timestamptz`, which keeps microseconds since 2000-01-01.
package struct TimestampValue: SQLValue {
    let unixNanoseconds: Int64

    package init(unixNanoseconds: Int64) { self.unixNanoseconds = unixNanoseconds }

    package static var sqlType: UInt32 { SQLType.timestamptz }
    package static var sqlArrayType: UInt32 { 1185 }

    package func write(to bytes: inout [UInt8]) {
        let (quotient, remainder) = unixNanoseconds.quotientAndRemainder(dividingBy: 1_000)
        let microseconds = remainder < 0 ? quotient - 1 : quotient
        BigEndian.append(microseconds - SQLType.epochMicroseconds, to: &bytes)
    }
}

/// Bytes for `bytea`.
struct ByteaValue: SQLValue {
    let bytes: [UInt8]
    package static var sqlType: UInt32 { SQLType.bytea }
    package static var sqlArrayType: UInt32 { 1001 }
    package func write(to target: inout [UInt8]) { target.append(contentsOf: bytes) }
}

/// Texts for `text[]`, without NULLs.
struct TextArrayValue: SQLValue {
    let values: [String]
    static var sqlType: UInt32 { SQLType.textArray }
    static var sqlArrayType: UInt32 { SQLType.textArray }
    var problem: ValueProblem? { values.lazy.compactMap(\.problem).first }

    /// One dimension, lower bound 1.
    ///
    /// Source: PostgreSQL 15, `arrayfuncs.c`, `array_send`.
    func write(to bytes: inout [UInt8]) {
        BigEndian.append(Int32(values.isEmpty ? 0 : 1), to: &bytes)
        BigEndian.append(Int32(0), to: &bytes)
        BigEndian.append(String.sqlType, to: &bytes)
        guard !values.isEmpty else { return }
        BigEndian.append(Int32(clamping: values.count), to: &bytes)
        BigEndian.append(Int32(1), to: &bytes)
        for value in values {
            BigEndian.append(Int32(clamping: value.utf8.count), to: &bytes)
            value.write(to: &bytes)
        }
    }
}
