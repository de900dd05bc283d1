package import Instruments

/// A row for COPY … FROM STDIN in binary format.
package protocol CopyRow {
    /// `COPY schema.table (columns…) FROM STDIN (FORMAT binary)`.
    static var copySQL: String { get }
    /// Number of columns named there.
    static var columnCount: Int { get }
    /// Writes every column in order, with exactly the table's types: COPY converts nothing.
    func write(_ row: inout CopyWriter)
}

/// Takes the columns of rows for COPY, in PostgreSQL's binary format.
package struct CopyWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var firstProblem: (index: Int, problem: ValueProblem)?
    private var columns = 0
    private let columnCount: Int

    /// Bytes after which a chunk is handed to libpq.
    static let chunkSize = 64 << 10

    /// Source: PostgreSQL manual 15, COPY, "Binary Format": signature, flags, length of the extension.
    init(columnCount: Int) {
        self.columnCount = columnCount
        bytes.reserveCapacity(Self.chunkSize + 4 << 10)
        bytes += [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00]
        BigEndian.append(Int32(0), to: &bytes)
        BigEndian.append(Int32(0), to: &bytes)
    }

    /// Writes a `bigint`.
    package mutating func append(_ value: Int64?) { appendValue(value) }
    /// Writes an `integer`.
    package mutating func append(_ value: Int32?) { appendValue(value) }
    /// Writes a `smallint`.
    package mutating func append(_ value: Int16?) { appendValue(value) }
    /// Writes a `boolean`.
    package mutating func append(_ value: Bool?) { appendValue(value) }
    /// Writes a `text`; one with a NUL character ends the COPY.
    package mutating func append(_ value: String?) { appendValue(value) }
    /// Writes a `numeric`.
    package mutating func append(_ value: Numeric?) { appendValue(value) }
    /// Writes a `numeric`.
    package mutating func append(_ value: Amount?) { appendValue(value) }
    /// Writes a `timestamptz`, rounded down to microseconds.
    package mutating func append(timestamp unixNanoseconds: Int64?) {
        appendValue(unixNanoseconds.map(TimestampValue.init))
    }
    /// Writes a `uuid`.
    package mutating func append(_ value: UniqueID?) { appendValue(value) }
    /// Writes a `text[]`.
    package mutating func append(_ values: [String]) { appendValue(TextArrayValue(values: values)) }
}

extension CopyWriter {
    mutating func beginRow() {
        columns = 0
        BigEndian.append(Int16(clamping: columnCount), to: &bytes)
    }

    mutating func endRow() {
        if columns != columnCount { note(.count(expected: columnCount, found: columns)) }
    }

    mutating func finish() { BigEndian.append(Int16(-1), to: &bytes) }

    mutating func removeWritten() { bytes.removeAll(keepingCapacity: true) }

    private mutating func appendValue(_ value: (some SQLValue)?) {
        columns += 1
        guard let value else { return BigEndian.append(Int32(-1), to: &bytes) }
        note(value.problem)
        let length = bytes.count
        BigEndian.append(Int32(0), to: &bytes)
        value.write(to: &bytes)
        BigEndian.replace(Int32(clamping: bytes.count - length - 4), in: &bytes, at: length)
    }

    private mutating func note(_ problem: ValueProblem?) {
        guard let problem, firstProblem == nil else { return }
        firstProblem = (columns, problem)
    }
}
