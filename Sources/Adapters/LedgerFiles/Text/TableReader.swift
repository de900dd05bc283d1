/// A line of a table with its fields.
package struct TableRow {
    /// Where it begins, from 1.
    package var line: Int
    package var fields: [String]
}

/// Reads comma-separated values, one row at a time.
///
/// Source: RFC 4180. Lines may end in LF or CRLF, fields may be quoted, and a quoted field may contain
/// commas, doubled quotes and line ends. Lines without anything are left out.
package struct TableReader {
    /// Fields in a row, and bytes in a field: bounds on what a file can make us keep.
    static let fieldLimit = 256
    static let lengthLimit = 64 << 10

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var line = 1
    private let separator: UInt8

    /// - Throws: ``FileFault`` when the bytes are not UTF-8.
    package init(_ bytes: [UInt8], separator: UInt8 = 0x2C) throws(FileFault) {
        self.bytes = try Encoding.check(bytes)
        index = self.bytes.startIndex
        self.separator = separator
    }

    /// The next row; `nil` at the end.
    ///
    /// - Throws: ``FileFault`` for a quote that is not closed, or past a bound.
    package mutating func next() throws(FileFault) -> TableRow? {
        while index < bytes.endIndex {
            let start = line
            let fields = try row()
            if fields.count > 1 || !fields[0].isEmpty { return TableRow(line: start, fields: fields) }
        }
        return nil
    }

    private mutating func row() throws(FileFault) -> [String] {
        var fields: [String] = []
        fields.reserveCapacity(16)
        while true {
            guard fields.count < TableReader.fieldLimit else {
                throw FileFault(line: line, "more than \(TableReader.fieldLimit) columns")
            }
            fields.append(
                index < bytes.endIndex && bytes[index] == 0x22
                    ? try quoted(fields.count + 1) : try plain(fields.count + 1))
            if index < bytes.endIndex, bytes[index] == separator {
                index += 1
                continue
            }
            if index < bytes.endIndex, bytes[index] == 0x0D { index += 1 }
            if index < bytes.endIndex {
                guard bytes[index] == 0x0A else {
                    throw FileFault(
                        line: line, column: fields.count, "text after the closing quote, or a lone CR")
                }
                index += 1
                line += 1
            }
            return fields
        }
    }

    private mutating func plain(_ column: Int) throws(FileFault) -> String {
        let start = index
        while index < bytes.endIndex, bytes[index] != separator, bytes[index] != 0x0A,
            bytes[index] != 0x0D
        {
            index += 1
        }
        try checkLength(index - start, column)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func quoted(_ column: Int) throws(FileFault) -> String {
        let begin = line
        index += 1
        var text: [UInt8] = []
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == 0x22 {
                guard index < bytes.endIndex, bytes[index] == 0x22 else {
                    return String(decoding: text, as: UTF8.self)
                }
                index += 1
            } else if byte == 0x0A {
                line += 1
            }
            text.append(byte)
            try checkLength(text.count, column)
        }
        throw FileFault(line: begin, column: column, "the quote is never closed")
    }

    private func checkLength(_ length: Int, _ column: Int) throws(FileFault) {
        guard length <= TableReader.lengthLimit else {
            throw FileFault(
                line: line, column: column, "a field of more than \(TableReader.lengthLimit) bytes")
        }
    }

    /// Writes one row.
    static func write(_ fields: [String], to bytes: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            let needsQuotes = field.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
            guard needsQuotes else {
                bytes += field.utf8
                continue
            }
            bytes.append(0x22)
            for byte in field.utf8 {
                if byte == 0x22 { bytes.append(0x22) }
                bytes.append(byte)
            }
            bytes.append(0x22)
        }
        bytes.append(0x0A)
    }
}
