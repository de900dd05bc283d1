import CPostgres
package import Instruments

/// One row of a result, read column by column from the left.
///
/// Each method checks the column's type; the plain ones also refuse NULL.
package struct RowReader: ~Copyable {
    // SAFETY: the result outlives the reader, because a reader exists only during one `decode` call that the
    // connection makes while it holds the result.
    private let result: OpaquePointer
    private let row: Int32
    private let statement: String
    private let columns: Int32
    private var column: Int32 = -1

    init(result: OpaquePointer, row: Int32, statement: String) {
        self.result = result
        self.row = row
        self.statement = statement
        columns = PQnfields(result)
    }

    /// Reads a `bigint`.
    package mutating func int64() throws(StoreError) -> Int64 { try required(int64OrNil()) }
    /// Reads a `bigint` or NULL.
    package mutating func int64OrNil() throws(StoreError) -> Int64? { try integer(SQLType.int8) }
    /// Reads an `integer`.
    package mutating func int32() throws(StoreError) -> Int32 { try required(int32OrNil()) }
    /// Reads an `integer` or NULL.
    package mutating func int32OrNil() throws(StoreError) -> Int32? { try integer(SQLType.int4) }
    /// Reads a `smallint`.
    package mutating func int16() throws(StoreError) -> Int16 { try required(int16OrNil()) }
    /// Reads a `smallint` or NULL.
    package mutating func int16OrNil() throws(StoreError) -> Int16? { try integer(SQLType.int2) }
    /// Reads a `boolean`.
    package mutating func bool() throws(StoreError) -> Bool { try required(boolOrNil()) }
    /// Reads a `boolean` or NULL.
    package mutating func boolOrNil() throws(StoreError) -> Bool? {
        guard let bytes = try value(SQLType.bool) else { return nil }
        guard bytes.count == 1 else { throw problem(.malformed(bytes: bytes.count)) }
        return bytes[0] != 0
    }
    /// Reads a `text`, `varchar` or `name`.
    package mutating func text() throws(StoreError) -> String { try required(textOrNil()) }
    /// Reads a `text`, `varchar` or `name`, or NULL.
    package mutating func textOrNil() throws(StoreError) -> String? {
        try value(SQLType.text, or: (SQLType.varchar, SQLType.name)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
    /// Reads a `bytea`.
    package mutating func bytes() throws(StoreError) -> [UInt8] { try required(bytesOrNil()) }
    /// Reads a `bytea` or NULL.
    package mutating func bytesOrNil() throws(StoreError) -> [UInt8]? {
        try value(SQLType.bytea).map(Array.init)
    }
    /// Reads a `uuid`.
    package mutating func uniqueID() throws(StoreError) -> UniqueID { try required(uniqueIDOrNil()) }
    /// Reads a `uuid` or NULL.
    package mutating func uniqueIDOrNil() throws(StoreError) -> UniqueID? {
        guard let bytes = try value(SQLType.uuid) else { return nil }
        guard bytes.count == 16 else { throw problem(.malformed(bytes: bytes.count)) }
        return UniqueID(
            high: BigEndian.read(UInt64.self, bytes, at: 0), low: BigEndian.read(UInt64.self, bytes, at: 8))
    }
    /// Reads a `numeric`; NaN and the infinities are refused.
    package mutating func numeric() throws(StoreError) -> Numeric { try required(numericOrNil()) }
    /// Reads a `numeric` or NULL; NaN and the infinities are refused.
    package mutating func numericOrNil() throws(StoreError) -> Numeric? {
        guard let bytes = try value(SQLType.numeric) else { return nil }
        guard let number = Numeric(binary: bytes) else { throw problem(.malformed(bytes: bytes.count)) }
        return number
    }
    /// Reads a `numeric`; NaN and the infinities are refused.
    package mutating func amount() throws(StoreError) -> Amount { try required(amountOrNil()) }
    /// Reads a `numeric` or NULL; NaN and the infinities are refused.
    package mutating func amountOrNil() throws(StoreError) -> Amount? {
        guard let bytes = try value(SQLType.numeric) else { return nil }
        guard let number = Amount(binary: bytes) else { throw problem(.malformed(bytes: bytes.count)) }
        return number
    }
    /// Reads a `timestamptz` as nanoseconds since 1970-01-01 UTC; refuses what does not fit.
    package mutating func timestamp() throws(StoreError) -> Int64 { try required(timestampOrNil()) }
    /// Reads a `timestamptz` as nanoseconds since 1970-01-01 UTC, or NULL.
    package mutating func timestampOrNil() throws(StoreError) -> Int64? {
        guard let stored: Int64 = try integer(SQLType.timestamptz) else { return nil }
        let (microseconds, isOver) = stored.addingReportingOverflow(SQLType.epochMicroseconds)
        let (nanoseconds, isTooFar) = microseconds.multipliedReportingOverflow(by: 1_000)
        guard !isOver, !isTooFar else { throw problem(.outOfRange) }
        return nanoseconds
    }
    /// Reads a `bigint[]` without NULLs, of at most one dimension.
    package mutating func int64Array() throws(StoreError) -> [Int64] {
        let elements = try elements(SQLType.int8Array, of: SQLType.int8)
        var values: [Int64] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard element.count == 8 else { throw problem(.malformed(bytes: element.count)) }
            values.append(BigEndian.read(Int64.self, element, at: 0))
        }
        return values
    }
    /// Reads a `text[]` without NULLs, of at most one dimension.
    package mutating func textArray() throws(StoreError) -> [String] {
        try elements(SQLType.textArray, of: SQLType.text).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Throws: ``ValueProblem/unread(columns:)`` when some columns were read and some were not.
    func finish() throws(StoreError) {
        if column >= 0, column + 1 < columns { throw problem(.unread(columns: Int(columns))) }
    }

    /// The error to throw when the value just read means nothing to the caller.
    package func refusal(_ problem: ValueProblem = .outOfRange) -> StoreError { self.problem(problem) }
}

extension RowReader {
    private func required<Value>(_ value: Value?) throws(StoreError) -> Value {
        guard let value else { throw problem(.unexpectedNull) }
        return value
    }

    private func problem(_ problem: ValueProblem) -> StoreError {
        .column(statement: statement, index: Int(column) + 1, problem: problem)
    }

    private mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: UInt32
    ) throws(StoreError) -> T? {
        guard let bytes = try value(type) else { return nil }
        guard bytes.count == T.bitWidth / 8 else { throw problem(.malformed(bytes: bytes.count)) }
        return BigEndian.read(T.self, bytes, at: 0)
    }

    /// The next column's bytes, `nil` for NULL; valid until the result is cleared.
    private mutating func value(
        _ type: UInt32, or others: (UInt32, UInt32)? = nil
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        column += 1
        guard column < columns else { throw problem(.missing(columns: Int(columns))) }
        let found = PQftype(result, column)
        guard found == type || others.map({ found == $0.0 || found == $0.1 }) ?? false else {
            throw problem(.type(expected: type, found: found))
        }
        let count = PQgetlength(result, row, column)
        // NULL has no length; most values have one, and need not be asked.
        if count == 0, PQgetisnull(result, row, column) != 0 { return nil }
        return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(count))
    }

    private mutating func elements(
        _ type: UInt32, of element: UInt32
    ) throws(StoreError) -> [UnsafeRawBufferPointer] {
        guard let bytes = try value(type) else { throw problem(.unexpectedNull) }
        guard let elements = Self.split(bytes, element: element) else {
            throw problem(.malformed(bytes: bytes.count))
        }
        return elements
    }

    /// Splits an array's binary form; `nil` when it has NULLs, more dimensions or impossible lengths.
    private static func split(_ bytes: UnsafeRawBufferPointer, element: UInt32) -> [UnsafeRawBufferPointer]? {
        guard bytes.count >= 12, BigEndian.read(UInt32.self, bytes, at: 8) == element else { return nil }
        let dimensions = BigEndian.read(Int32.self, bytes, at: 0)
        if dimensions == 0 { return [] }
        guard dimensions == 1, bytes.count >= 20 else { return nil }
        let count = Int(BigEndian.read(Int32.self, bytes, at: 12))
        var elements: [UnsafeRawBufferPointer] = []
        var offset = 20
        while elements.count < count {
            guard offset + 4 <= bytes.count else { return nil }
            let length = Int(BigEndian.read(Int32.self, bytes, at: offset))
            guard length >= 0, offset + 4 + length <= bytes.count else { return nil }
            elements.append(UnsafeRawBufferPointer(rebasing: bytes[offset + 4..<offset + 4 + length]))
            offset += 4 + length
        }
        return elements
    }
}
