package import Instruments
import Portfolio

/// The fields of a row by the names of their columns, read with errors that say where they are.
package struct Fields {
    package let row: TableRow
    package let columns: [String: Int]

    package init(row: TableRow, columns: [String: Int]) {
        self.row = row
        self.columns = columns
    }

    package var line: Int { row.line }

    /// The text of a column, without blanks around it; `nil` when it is empty or not there.
    package func text(_ name: String) -> String? {
        guard let column = columns[name], column < row.fields.count else { return nil }
        let text = row.fields[column]
        guard text.utf8.first == 0x20 || text.utf8.last == 0x20 else { return text.isEmpty ? nil : text }
        let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }

    /// The text of the first of several columns that has any.
    package func text(anyOf names: [String]) -> String? { names.lazy.compactMap { text($0) }.first }

    /// The exact text of a column, blanks included.
    package func exact(_ name: String) -> String {
        guard let column = columns[name], column < row.fields.count else { return "" }
        return row.fields[column]
    }

    package func required(_ name: String) throws(FileFault) -> String {
        guard let text = text(name) else { throw fault(name, "is missing") }
        return text
    }

    package func fault(_ name: String, _ reason: String) -> FileFault {
        FileFault(line: row.line, column: (columns[name] ?? -1) + 1, field: name, reason)
    }

    package func time(_ name: String, zone: Int?, _ prepare: (String) -> String = { $0 }) throws(FileFault)
        -> Timestamp
    {
        let text = try required(name)
        do {
            return try TimeText.parse(prepare(text), zone: zone)
        } catch {
            switch error {
            case .noZone:
                throw fault(name, "\"\(text)\" says no zone; write 2024-01-31T12:00:00Z or …+01:00")
            case .malformed:
                throw fault(name, "\"\(text)\" is not a time such as 2024-01-31T12:00:00Z")
            }
        }
    }

    /// An amount of 0 or more; `nil` when the column is empty.
    package func amount(_ name: String) throws(FileFault) -> Amount? {
        guard let text = text(name) else { return nil }
        let amount = try signed(text, name)
        guard !amount.isNegative else {
            throw fault(name, "\(text) is negative; amounts are never, the kind says the direction")
        }
        return amount
    }

    /// An amount of 0 or more.
    package func requiredAmount(_ name: String) throws(FileFault) -> Amount {
        guard let amount = try amount(name) else { throw fault(name, "is missing") }
        return amount
    }

    /// An amount of either sign; `nil` when the column is empty or a dash.
    package func signedAmount(_ name: String) throws(FileFault) -> Amount? {
        guard let text = text(name), text != "-" else { return nil }
        return try signed(text, name)
    }

    private func signed(_ text: String, _ name: String) throws(FileFault) -> Amount {
        do {
            return try Amount(parsing: text)
        } catch {
            if text.contains(",") {
                throw fault(name, "\"\(text)\" has a comma; write a decimal point and no thousands")
            }
            switch error {
            case .malformed: throw fault(name, "\"\(text)\" is not a plain decimal such as 0.25")
            case .tooLong: throw fault(name, error.description)
            }
        }
    }

    /// An asset's code: letters, digits and `._-$:@/`, at most 64.
    package func asset(_ name: String) throws(FileFault) -> Asset? {
        guard let text = text(name) else { return nil }
        let isCode = text.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "._-$:@/+*".utf8.contains(byte) || byte >= 0x80
        }
        guard isCode, text.utf8.count <= 64 else {
            throw fault(name, "\"\(text)\" is no asset; write its code, such as BTC")
        }
        return Asset(rawValue: text)
    }
}
