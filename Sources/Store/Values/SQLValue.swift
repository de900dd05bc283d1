/// A Swift value with one PostgreSQL type in binary format.
protocol SQLValue {
    static var sqlType: UInt32 { get }
    static var sqlArrayType: UInt32 { get }
    /// Appends the value without its length.
    func write(to bytes: inout [UInt8])
    /// Why the value cannot be sent, if it cannot.
    var problem: ValueProblem? { get }
}

extension SQLValue {
    var problem: ValueProblem? { nil }
}

extension Int64: SQLValue {
    static var sqlType: UInt32 { SQLType.int8 }
    static var sqlArrayType: UInt32 { SQLType.int8Array }
    func write(to bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
}

extension Int32: SQLValue {
    static var sqlType: UInt32 { SQLType.int4 }
    static var sqlArrayType: UInt32 { SQLType.int4Array }
    func write(to bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
}

extension Int16: SQLValue {
    static var sqlType: UInt32 { SQLType.int2 }
    static var sqlArrayType: UInt32 { SQLType.int2Array }
    func write(to bytes: inout [UInt8]) { BigEndian.append(self, to: &bytes) }
}

extension Bool: SQLValue {
    static var sqlType: UInt32 { SQLType.bool }
    static var sqlArrayType: UInt32 { SQLType.boolArray }
    func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}

extension String: SQLValue {
    static var sqlType: UInt32 { SQLType.text }
    static var sqlArrayType: UInt32 { SQLType.textArray }
    func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
    var problem: ValueProblem? { utf8.contains(0) ? .containsNUL : nil }
}

extension Numeric: SQLValue {
    static var sqlType: UInt32 { SQLType.numeric }
    static var sqlArrayType: UInt32 { SQLType.numericArray }
}

/// A point in time for `timestamptz`, which keeps microseconds since 2000-01-01.
struct TimestampValue: SQLValue {
    let unixNanoseconds: Int64
    static var sqlType: UInt32 { SQLType.timestamptz }
    static var sqlArrayType: UInt32 { 1185 }

    func write(to bytes: inout [UInt8]) {
        let (quotient, remainder) = unixNanoseconds.quotientAndRemainder(dividingBy: 1_000)
        let microseconds = remainder < 0 ? quotient - 1 : quotient
        BigEndian.append(microseconds - SQLType.epochMicroseconds, to: &bytes)
    }
}

/// Bytes for `bytea`.
struct ByteaValue: SQLValue {
    let bytes: [UInt8]
    static var sqlType: UInt32 { SQLType.bytea }
    static var sqlArrayType: UInt32 { 1001 }
    func write(to target: inout [UInt8]) { target.append(contentsOf: bytes) }
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
