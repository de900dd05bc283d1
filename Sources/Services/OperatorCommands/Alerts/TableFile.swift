import Instruments
import Recordings
import Venues

/// A file of rows with named fields: JSON lines, or CSV whose first line names the columns.
struct TableFile {
    /// One row: its fields as text, `nil` for null or nothing.
    struct Row {
        let line: Int
        fileprivate(set) var names: [String]
        fileprivate(set) var values: [String?]

        /// The first of these fields that the row has and that is not empty.
        func value(_ names: String...) -> String? {
            for name in names {
                if let place = self.names.firstIndex(of: name), let value = values[place] { return value }
            }
            return nil
        }
    }

    private let file: LineFile

    init(path: String) throws { file = LineFile(path: path) }

    /// Hands over each row.
    ///
    /// Where faults are counted, rows are left out that cannot be read or that the closure refuses with a
    /// ``CommandFailure``.
    /// - Returns: What could not be read.
    /// - Throws: ``CommandFailure`` naming file and line, or what the closure throws.
    @discardableResult
    func forEachRow(
        _ policy: FaultPolicy = .stop, _ body: (Row) throws -> Void
    ) throws -> InputFaults {
        let text = try file.open(policy)
        var header: [String]?
        var isFirst = true
        while let line = try file.next(text) {
            if isFirst {
                isFirst = false
                if line.first(where: { $0 > 0x20 }) != 0x7B {
                    header = try names(text.line, line[...])
                    continue
                }
            }
            do {
                let row = try header.map { try csv(text.line, line[...], $0) } ?? json(text.line, line[...])
                if header == nil, let words = row.value(IncompleteLine.key) {
                    guard policy == .count else {
                        throw file.fault(
                            text.line, "the line \(InputFaults.refusal(ofIncomplete: words))")
                    }
                    text.takeIncomplete(words)
                    continue
                }
                try body(row)
            } catch let failure as CommandFailure {
                guard policy == .count else { throw failure }
                text.leaveOut()
            }
        }
        return text.faults
    }

    /// The names of the columns.
    private func names(_ number: Int, _ line: ArraySlice<UInt8>) throws -> [String] {
        let names = try cells(number, line).map { $0.lowercased() }
        var seen: Set<String> = []
        for name in names where !name.isEmpty {
            guard seen.insert(name).inserted else {
                throw file.fault(number, "the header names the column \(name.prefix(60)) twice")
            }
        }
        return names
    }

    private func csv(_ number: Int, _ line: ArraySlice<UInt8>, _ names: [String]) throws -> Row {
        let cells = try self.cells(number, line)
        guard cells.count == names.count else {
            throw file.fault(number, "\(cells.count) columns; the header has \(names.count)")
        }
        return Row(line: number, names: names, values: cells.map { $0.isEmpty ? nil : $0 })
    }

    /// The error of a field: what was given and what is accepted.
    func fault(_ row: Row, _ field: String, _ value: String?, accepted: String) -> CommandFailure {
        let fault = FieldFault(field, value.map { "\"\($0.prefix(60))\"" }, accepted: accepted)
        return file.fault(row.line, fault.description)
    }

    private func json(_ number: Int, _ line: ArraySlice<UInt8>) throws -> Row {
        var row = Row(line: number, names: [], values: [])
        var (seen, repeated) = (Set<String>(), String?.none)
        let isRead = line.withUnsafeBytes { bytes -> Bool in
            guard var scanner = JSONScanner(bytes) else { return false }
            do throws(ScanError) {
                try scanner.object { scanner, key throws(ScanError) in
                    guard let name = scanner.string(key) else { throw .malformed }
                    if !seen.insert(name).inserted { repeated = repeated ?? name }
                    row.names.append(name)
                    row.values.append(try TableFile.value(&scanner))
                }
                try scanner.expectEnd()
                return true
            } catch {
                return false
            }
        }
        guard isRead else { throw file.fault(number, "not a JSON object") }
        if let repeated {
            throw file.fault(number, LineFault.repeated(key: String(repeated.prefix(60))).description)
        }
        return row
    }

    /// A scalar as text; `nil` for null and for what is no scalar.
    private static func value(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        if try scanner.takeNull() { return nil }
        let first = try scanner.peek()
        if first == 0x7B || first == 0x5B {
            try scanner.skip()
            return nil
        }
        let text = try scanner.scalarText()
        guard let value = scanner.string(text) else { throw .malformed }
        return value
    }

    /// The cells of a line of CSV (RFC 4180), quoted where they contain a comma.
    private func cells(_ number: Int, _ line: ArraySlice<UInt8>) throws -> [String] {
        var cells: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            let next = index + 1
            if isQuoted, byte == 0x22, next < line.endIndex, line[next] == 0x22 {
                cell.append(byte)
                index = next
            } else if byte == 0x22 {
                isQuoted.toggle()
            } else if byte == 0x2C, !isQuoted {
                cells.append(trimmed(cell))
                cell.removeAll(keepingCapacity: true)
            } else {
                cell.append(byte)
            }
            index += 1
        }
        guard !isQuoted else { throw file.fault(number, "a quote is not closed") }
        return cells + [trimmed(cell)]
    }

    private func trimmed(_ bytes: [UInt8]) -> String {
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        let end = bytes.lastIndex { $0 > 0x20 } ?? bytes.startIndex
        return start <= end && start < bytes.endIndex
            ? String(decoding: bytes[start...end], as: UTF8.self) : ""
    }
}
