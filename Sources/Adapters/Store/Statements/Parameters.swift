package import Instruments

/// The parameters of one statement, in order, in binary format.
package struct Parameters: Sendable {
    /// One parameter: its type and where its bytes are; `length` -1 is NULL.
    struct Slot {
        let type: UInt32
        let offset: Int
        let length: Int32
    }

    private(set) var slots: [Slot] = []
    /// The first parameter that cannot be sent, from 1.
    private(set) var firstProblem: (index: Int, problem: ValueProblem)?
    // One byte ahead, so that the address of an empty value is never NULL, which libpq reads as SQL NULL.
    private var bytes: [UInt8] = [0]

    init() {}

    /// Appends a `bigint`.
    package mutating func append(_ value: Int64?) { appendValue(value) }
    /// Appends an `integer`.
    package mutating func append(_ value: Int32?) { appendValue(value) }
    /// Appends a `smallint`.
    package mutating func append(_ value: Int16?) { appendValue(value) }
    /// Appends a `boolean`.
    package mutating func append(_ value: Bool?) { appendValue(value) }
    /// Appends a `text`; one with a NUL character makes the statement fail before it is sent.
    package mutating func append(_ value: String?) { appendValue(value) }
    /// Appends a `numeric`.
    package mutating func append(_ value: Numeric?) { appendValue(value) }
    /// Appends a `numeric`.
    package mutating func append(_ value: Amount?) { appendValue(value) }
    /// Appends a `bytea`.
    package mutating func append(bytes value: [UInt8]?) { appendValue(value.map(ByteaValue.init)) }
    /// Appends a `timestamptz`, rounded down to microseconds.
    package mutating func append(timestamp unixNanoseconds: Int64?) {
        appendValue(unixNanoseconds.map(TimestampValue.init))
    }
    /// Appends a `uuid`.
    package mutating func append(_ value: UniqueID?) { appendValue(value) }
    /// Appends a `uuid[]`.
    package mutating func append(_ values: [UniqueID]) { appendArray(values) }
    /// Appends a `bigint[]`.
    package mutating func append(_ values: [Int64]) { appendArray(values) }
    /// Appends an `integer[]`.
    package mutating func append(_ values: [Int32]) { appendArray(values) }
    /// Appends a `smallint[]`.
    package mutating func append(_ values: [Int16]) { appendArray(values) }
    /// Appends a `boolean[]`.
    package mutating func append(_ values: [Bool]) { appendArray(values) }
    /// Appends a `text[]`.
    package mutating func append(_ values: [String]) { appendArray(values) }
    /// Appends a `numeric[]` that may hold NULLs.
    package mutating func append(_ values: [Numeric?]) { appendArray(values) }
}

extension Parameters {
    mutating func appendValue<Value: SQLValue>(_ value: Value?) {
        guard let value else {
            slots.append(Slot(type: Value.sqlType, offset: 0, length: -1))
            return
        }
        note(value.problem)
        let start = bytes.count
        value.write(to: &bytes)
        close(type: Value.sqlType, from: start)
    }

    mutating func appendArray<Value: SQLValue>(_ values: [Value]) {
        let start = bytes.count
        beginArray(Value.self, count: values.count, hasNull: false)
        for value in values { appendElement(value) }
        close(type: Value.sqlArrayType, from: start)
    }

    mutating func appendArray<Value: SQLValue>(_ values: [Value?]) {
        let start = bytes.count
        beginArray(Value.self, count: values.count, hasNull: values.contains { $0 == nil })
        for value in values {
            if let value { appendElement(value) } else { BigEndian.append(Int32(-1), to: &bytes) }
        }
        close(type: Value.sqlArrayType, from: start)
    }

    /// One dimension, lower bound 1.
    ///
    /// Source: PostgreSQL 15, `arrayfuncs.c`, `array_send`.
    private mutating func beginArray<Value: SQLValue>(_ type: Value.Type, count: Int, hasNull: Bool) {
        BigEndian.append(Int32(count == 0 ? 0 : 1), to: &bytes)
        BigEndian.append(Int32(hasNull ? 1 : 0), to: &bytes)
        BigEndian.append(Value.sqlType, to: &bytes)
        guard count > 0 else { return }
        BigEndian.append(Int32(clamping: count), to: &bytes)
        BigEndian.append(Int32(1), to: &bytes)
    }

    private mutating func appendElement(_ value: some SQLValue) {
        note(value.problem)
        let length = bytes.count
        BigEndian.append(Int32(0), to: &bytes)
        value.write(to: &bytes)
        BigEndian.replace(Int32(clamping: bytes.count - length - 4), in: &bytes, at: length)
    }

    private mutating func close(type: UInt32, from start: Int) {
        let length = bytes.count - start
        // The server takes no value over 1 GB; refusing it here keeps the length within Int32.
        if length > 1 << 30 { note(.outOfRange) }
        slots.append(Slot(type: type, offset: start, length: Int32(clamping: length)))
    }

    private mutating func note(_ problem: ValueProblem?) {
        guard let problem, firstProblem == nil else { return }
        firstProblem = (slots.count + 1, problem)
    }

    var types: [UInt32] { slots.map(\.type) }

    /// Calls `body` with the arrays that libpq takes; they are valid during the call only.
    func withPointers<Result>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>, _ lengths: UnsafePointer<Int32>,
            _ formats: UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { raw in
            // SAFETY: every offset is within `bytes`, which is not changed during the call; libpq copies the
            // values before it returns.
            let values = slots.map { slot in
                slot.length < 0
                    ? nil : raw.baseAddress?.advanced(by: slot.offset).assumingMemoryBound(to: CChar.self)
            }
            let lengths = slots.map { max($0.length, 0) }
            let formats = [Int32](repeating: 1, count: slots.count)
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        Self.call(body, values, lengths, formats)
                    }
                }
            }
        }
    }

    /// Empty arrays have no address; libpq does not look at them then, but Swift wants one.
    private static func call<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result,
        _ values: UnsafeBufferPointer<UnsafePointer<CChar>?>, _ lengths: UnsafeBufferPointer<Int32>,
        _ formats: UnsafeBufferPointer<Int32>
    ) -> Result {
        if let values = values.baseAddress, let lengths = lengths.baseAddress,
            let formats = formats.baseAddress
        {
            return body(values, lengths, formats)
        }
        var noValue: UnsafePointer<CChar>?
        var noNumber: Int32 = 0
        return body(&noValue, &noNumber, &noNumber)
    }
}
