package import LedgerFiles
import Portfolio

extension LedgerFormat {
    /// Where in a file of this format a row names something.
    ///
    /// - Parameters:
    ///   - name: What is named, such as an asset's code.
    ///   - field: Our name of its field.
    ///   - line: Where the row begins.
    ///   - bytes: The file.
    /// - Returns: Line and column; of other programs' files column 0 where they call it otherwise.
    package func place(of name: String, field: String, line: Int, in bytes: [UInt8]) -> FileFault {
        if self == .json { return Self.placeInJSON(of: name, field: field, line: line, in: bytes) }
        var fault = FileFault(line: line, field: self == .csv ? field : "", "")
        // It was read before: what is wrong with it otherwise was told then.
        guard var reader = try? TableReader(bytes) else { return fault }
        var header: [String]?
        while let row = try? reader.next(), row.line <= line {
            header = header ?? row.fields
            guard row.line == line else { continue }
            let own = self == .csv ? header?.firstIndex(of: field) : nil
            let found = own ?? row.fields.firstIndex { $0.split(separator: " ").contains { $0 == name } }
            fault.column = found.map { $0 + 1 } ?? 0
        }
        return fault
    }

    /// The text in quotes, looked for from the row's line on.
    private static func placeInJSON(
        of name: String, field: String, line: Int, in bytes: [UInt8]
    ) -> FileFault {
        var fault = FileFault(line: line, field: field, "")
        let wanted = Array("\"\(name)\"".utf8)
        var (current, start) = (1, bytes.startIndex)
        for index in bytes.indices {
            if bytes[index] == 0x0A {
                current += 1
                start = index + 1
            } else if current >= line, bytes[index] == 0x22, bytes[index...].starts(with: wanted) {
                fault.line = current
                fault.column = String(decoding: bytes[start..<index], as: UTF8.self).count + 1
                return fault
            }
        }
        return fault
    }
}
