public import Instruments
import JSONLines
import JSONReading
public import Portfolio

/// Our own JSON of a portfolio: `{"transactions": [{"time": …, "kind": …}, …]}`, or the array alone.
///
/// Members have the names of the table's columns; all values are strings, but `tags` and `lots` are arrays.
/// `base`, `wallets`, `lot_settings` and `targets` stand beside the transactions where it is a whole
/// portfolio, see ``PortfolioSettings``; further members, such as the history of its revisions, are left
/// alone.
public enum LedgerJSON {
    /// Reads transactions.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - base: The currency of a value whose `counter_asset` is missing.
    /// - Returns: The rows; nothing is skipped.
    /// - Throws: The first ``FileFault``, with the line and column where the row begins.
    public static func read(_ bytes: [UInt8], base: Asset = Asset(rawValue: "USD")) throws(FileFault)
        -> ImportedLedger
    {
        var document = try JSONText.read(bytes)
        var result = ImportedLedger()
        if case .object(let members) = document.value {
            guard let rows = members.first(where: { $0.name == "transactions" }) else {
                throw FileFault(line: 1, column: 1, "\"transactions\" is missing")
            }
            result.settings = try PortfolioSettings(reading: members)
            document = rows.element
        }
        guard case .array(let rows) = document.value else {
            throw FileFault(
                line: document.place.line, column: document.place.column, "an array of rows is expected")
        }
        for row in rows { try result.append(transaction(row, base), line: row.place.line) }
        return result
    }

    private static func transaction(_ row: JSONText.Element, _ base: Asset) throws(FileFault) -> Transaction {
        guard case .object(let members) = row.value else {
            throw FileFault(line: row.place.line, column: row.place.column, "a row is an object")
        }
        var columns: [String: Int] = [:]
        var texts: [String] = []
        for member in members {
            let place = member.element.place
            guard LedgerCSV.column(member.name) > 0 else {
                throw FileFault(line: place.line, column: place.column, "unknown member \"\(member.name)\"")
            }
            columns[member.name] = texts.count
            texts.append(try text(member.element))
        }
        let fields = Fields(row: TableRow(line: row.place.line, fields: texts), columns: columns)
        do {
            return try LedgerCSV.transaction(fields, base)
        } catch {
            // A member has a place of its own, better than a count of members.
            guard let member = members.first(where: { $0.name == error.field }) else {
                throw FileFault(
                    line: row.place.line, column: row.place.column, field: error.field, error.reason)
            }
            let place = member.element.place
            throw FileFault(line: place.line, column: place.column, field: error.field, error.reason)
        }
    }

    /// The text that the table would have.
    private static func text(_ element: JSONText.Element) throws(FileFault) -> String {
        switch element.value {
        case .null: return ""
        case .string(let text), .number(let text): return text
        case .array(let elements):
            var parts: [String] = []
            for element in elements { parts.append(try text(element)) }
            return parts.joined(separator: ";")
        default:
            throw FileFault(line: element.place.line, column: element.place.column, "a string is expected")
        }
    }

    /// Writes transactions; reading them again gives the same.
    ///
    /// - Parameters:
    ///   - transactions: In the order of the file.
    ///   - settings: What belongs to their portfolio besides.
    ///   - further: Members of the document that follow, as text without a comma before or after them.
    /// - Returns: A document of UTF-8.
    public static func write(
        _ transactions: [Transaction], _ settings: PortfolioSettings? = nil, further: String = ""
    ) -> [UInt8] {
        var bytes = Array("{".utf8)
        if let settings {
            var line = JSONLine()
            settings.write(to: &line)
            bytes += line.bytes + Array(",\n".utf8)
        }
        bytes += Array("\"transactions\":[".utf8)
        for (index, row) in transactions.enumerated() {
            bytes += (index == 0 ? "\n{" : ",\n{").utf8
            write(row, to: &bytes)
            bytes.append(0x7D)
        }
        bytes += "\n]".utf8
        if !further.isEmpty { bytes += ",\(further)\n".utf8 }
        bytes += "}\n".utf8
        return bytes
    }

    private static func write(_ row: Transaction, to bytes: inout [UInt8]) {
        let members: [(String, String?)] = [
            ("time", row.time.plain), ("kind", row.kind.rawValue), ("wallet", row.wallet),
            ("to_wallet", row.toWallet), ("asset", row.subject.asset.rawValue),
            ("amount", row.subject.amount.description), ("counter_asset", row.counter?.asset.rawValue),
            ("counter_amount", row.counter?.amount.description), ("fee_asset", row.fee?.asset.rawValue),
            ("fee_amount", row.fee?.amount.description),
            ("external_id", row.externalID.isEmpty ? nil : row.externalID),
            ("note", row.note.isEmpty ? nil : row.note),
            ("price_source", row.priceSource.isEmpty ? nil : row.priceSource),
        ]
        var isFirst = true
        func name(_ text: String) {
            if !isFirst { bytes.append(0x2C) }
            isFirst = false
            quote(text, to: &bytes)
            bytes.append(0x3A)
        }
        for case (let member, let text?) in members {
            name(member)
            quote(text, to: &bytes)
        }
        let lots = row.lots.map { "\($0.acquiredBy)=\($0.amount)" }
        for (member, parts) in [("tags", row.tags), ("lots", lots)] where !parts.isEmpty {
            name(member)
            bytes.append(0x5B)
            for (index, part) in parts.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                quote(part, to: &bytes)
            }
            bytes.append(0x5D)
        }
    }

    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x00..<0x20:
                let digits = String(byte, radix: 16)
                bytes += "\\u00\(byte < 16 ? "0" : "")\(digits)".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
