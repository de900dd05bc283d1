package import Instruments
import JSON
package import Portfolio
import Shapes

/// Our own JSON of a portfolio: `{"transactions": [{"time": …, "kind": …}, …]}`, or the array alone.
///
/// Members have the names of the table's columns; all values are strings, but `tags` and `lots` are arrays.
/// `base`, `wallets`, `lot_settings` and `targets` stand beside the transactions where it is a whole
/// portfolio, see ``PortfolioSettings``; further members, such as the history of its revisions, are left
/// alone.
package enum LedgerJSON {
    /// Reads transactions.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - base: The currency of a value whose `counter_asset` is missing.
    /// - Returns: The rows; nothing is skipped.
    /// - Throws: The first ``FileFault``, with the line and column where the row begins.
    package static func read(_ bytes: [UInt8], base: Asset = Asset(rawValue: "USD")) throws(FileFault)
        -> ImportedLedger
    {
        var document = try JSONElement(file: bytes)
        var result = ImportedLedger()
        if let members = document.members {
            guard let rows = members.first(where: { $0.key == "transactions" }) else {
                throw FileFault(line: 1, column: 1, "\"transactions\" is missing")
            }
            result.settings = try PortfolioSettings(reading: members)
            document = rows.element
        }
        guard let rows = document.elements else { throw document.fault("an array of rows is expected") }
        for row in rows { try result.append(transaction(row, base), line: row.place.line) }
        return result
    }

    private static func transaction(_ row: JSONElement, _ base: Asset) throws(FileFault) -> Transaction {
        guard let members = row.members else { throw row.fault("a row is an object") }
        var columns: [String: Int] = [:]
        var texts: [String] = []
        for (key, element) in members {
            guard LedgerCSV.column(key) > 0 else { throw element.fault("unknown member \"\(key)\"") }
            columns[key] = texts.count
            texts.append(try text(element))
        }
        let fields = Fields(row: TableRow(line: row.place.line, fields: texts), columns: columns)
        do {
            return try LedgerCSV.transaction(fields, base)
        } catch {
            // A member has a place of its own, better than a count of members.
            let member = members.first { $0.key == error.field }?.element
            throw (member ?? row).fault(error.reason, field: error.field)
        }
    }

    /// The text that the table would have.
    private static func text(_ element: JSONElement) throws(FileFault) -> String {
        guard let elements = element.elements else { return try element.text ?? "" }
        var parts: [String] = []
        for element in elements { parts.append(try text(element)) }
        return parts.joined(separator: ";")
    }

    /// Writes transactions; reading them again gives the same.
    ///
    /// - Parameters:
    ///   - transactions: In the order of the file.
    ///   - settings: What belongs to their portfolio besides.
    ///   - further: Members of the document that follow, as text without a comma before or after them.
    /// - Returns: A document of UTF-8.
    package static func write(
        _ transactions: [Transaction], _ settings: PortfolioSettings? = nil, further: String = ""
    ) -> [UInt8] {
        var bytes = Array("{".utf8)
        if let settings {
            var line = JSONWriter()
            settings.writeMembers(to: &line)
            bytes += line.bytes + Array(",\n".utf8)
        }
        bytes += Array("\"transactions\":[".utf8)
        var line = JSONWriter(shortensLineFeeds: false)
        for (index, row) in transactions.enumerated() {
            line.removeAll()
            write(row, to: &line)
            bytes += (index == 0 ? "\n" : ",\n").utf8
            bytes += line.bytes
        }
        bytes += "\n]".utf8
        if !further.isEmpty { bytes += ",\(further)\n".utf8 }
        bytes += "}\n".utf8
        return bytes
    }

    private static func write(_ row: Transaction, to line: inout JSONWriter) {
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
        line.beginObject()
        for case (let member, let text?) in members { line.text(member, text) }
        let lots = row.lots.map { "\($0.acquiredBy)=\($0.amount)" }
        for (member, parts) in [("tags", row.tags), ("lots", lots)] where !parts.isEmpty {
            line.texts(member, parts)
        }
        line.endObject()
    }
}
