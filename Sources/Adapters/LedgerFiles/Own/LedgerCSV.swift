package import Instruments
package import Portfolio

/// Our own table of transactions: the header is ``header``, times are ISO 8601 with a zone, amounts plain
/// decimals.
package enum LedgerCSV {
    /// The columns, in order.
    package static let header = [
        "time", "kind", "wallet", "to_wallet", "asset", "amount", "counter_asset", "counter_amount",
        "fee_asset", "fee_amount", "external_id", "note",
    ]
    /// Columns that follow where a row has something to say in them.
    package static let furtherColumns = ["price_source", "tags", "lots"]

    /// The column's place in the header, from 1; 0 for none.
    package static func column(_ name: String) -> Int {
        ((header + furtherColumns).firstIndex(of: name) ?? -1) + 1
    }

    /// Reads transactions.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - base: The currency of a value whose `counter_asset` is empty.
    /// - Returns: The rows; nothing is skipped.
    /// - Throws: The first ``FileFault``: every row must be right.
    package static func read(_ bytes: [UInt8], base: Asset = Asset(rawValue: "USD")) throws(FileFault)
        -> ImportedLedger
    {
        var reader = try TableReader(bytes)
        guard let first = try reader.next() else {
            throw FileFault(line: 1, "the file is empty; its first line is \(header.joined(separator: ","))")
        }
        let columns = try columns(first)
        var result = ImportedLedger()
        result.columns = columns
        while let row = try reader.next() {
            guard row.fields.count == first.fields.count else {
                let isShort = row.fields.count < first.fields.count
                throw FileFault(
                    line: row.line, column: min(row.fields.count, first.fields.count) + 1,
                    "\(row.fields.count) fields where the header has \(first.fields.count); "
                        + (isShort
                            ? "is the line cut off? write a comma for each that is empty"
                            : "write amounts with a decimal point, and text with a comma in quotes"))
            }
            try result.append(
                transaction(Fields(row: row, columns: columns), base), line: row.line)
        }
        return result
    }

    private static func columns(_ row: TableRow) throws(FileFault) -> [String: Int] {
        var columns: [String: Int] = [:]
        for (index, name) in row.fields.enumerated() {
            guard header.contains(name) || furtherColumns.contains(name) else {
                throw FileFault(
                    line: row.line, column: index + 1,
                    "unknown column \"\(name)\"; the header is \(header.joined(separator: ","))")
            }
            guard columns.updateValue(index, forKey: name) == nil else {
                throw FileFault(line: row.line, column: index + 1, "column \"\(name)\" stands twice")
            }
        }
        for name in ["time", "kind", "wallet", "asset", "amount"] where columns[name] == nil {
            throw FileFault(line: row.line, "column \"\(name)\" is missing")
        }
        return columns
    }

    /// Reads one row, however its columns were named before.
    package static func transaction(_ fields: Fields, _ base: Asset, zone: Int? = nil) throws(FileFault)
        -> Transaction
    {
        let time = try fields.time("time", zone: zone)
        let kindName = try fields.required("kind")
        guard let kind = TransactionKind(rawValue: kindName.lowercased()) else {
            let known = TransactionKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.fault("kind", "\"\(kindName)\" is none of \(known)")
        }
        guard let asset = try fields.asset("asset") else { throw fields.fault("asset", "is missing") }
        let amount = try fields.requiredAmount("amount")
        guard amount.isPositive else { throw fields.fault("amount", "is 0; it must be above zero") }
        return Transaction(
            time: time, kind: kind, wallet: try fields.required("wallet"),
            toWallet: fields.text("to_wallet"), subject: Holding(amount, asset),
            counter: try pair(fields, "counter", kind.isExchange ? nil : base),
            fee: try pair(fields, "fee", nil), externalID: fields.text("external_id") ?? "",
            note: fields.exact("note"), tags: tags(fields.exact("tags")),
            priceSource: fields.text("price_source") ?? "", lots: try lots(fields))
    }

    /// An asset and its amount: both or none; `nil` too for a fee of zero.
    private static func pair(_ fields: Fields, _ name: String, _ assumed: Asset?) throws(FileFault)
        -> Holding?
    {
        let asset = try fields.asset("\(name)_asset")
        guard let amount = try fields.amount("\(name)_amount") else {
            guard asset == nil || name == "fee" else { throw fields.fault("\(name)_amount", "is missing") }
            return nil
        }
        if name == "fee", amount.isZero { return nil }
        guard let asset = asset ?? assumed else { throw fields.fault("\(name)_asset", "is missing") }
        return Holding(amount, asset)
    }

    private static func tags(_ text: String) -> [String] {
        text.split(separator: ";").map(String.init)
    }

    /// `id=amount;id=amount`.
    private static func lots(_ fields: Fields) throws(FileFault) -> [LotChoice] {
        var choices: [LotChoice] = []
        for part in (fields.text("lots") ?? "").split(separator: ";") {
            guard let sign = part.lastIndex(of: "="),
                let amount = try? Amount(parsing: String(part[part.index(after: sign)...]))
            else { throw fields.fault("lots", "\"\(part)\" is not external_id=amount") }
            choices.append(LotChoice(acquiredBy: String(part[..<sign]), amount: amount))
        }
        return choices
    }

    /// Writes transactions; reading them again gives the same.
    package static func write(_ transactions: [Transaction]) -> [UInt8] {
        let needsMore = transactions.contains {
            !$0.tags.isEmpty || !$0.priceSource.isEmpty || !$0.lots.isEmpty
        }
        var bytes: [UInt8] = []
        TableReader.write(needsMore ? header + furtherColumns : header, to: &bytes)
        for row in transactions { TableReader.write(fields(row, needsMore), to: &bytes) }
        return bytes
    }

    private static func fields(_ row: Transaction, _ needsMore: Bool) -> [String] {
        var fields = [
            row.time.plain, row.kind.rawValue, row.wallet, row.toWallet ?? "", row.subject.asset.rawValue,
            row.subject.amount.description, row.counter?.asset.rawValue ?? "",
            row.counter?.amount.description ?? "", row.fee?.asset.rawValue ?? "",
            row.fee?.amount.description ?? "", row.externalID, row.note,
        ]
        if needsMore {
            fields.append(row.priceSource)
            fields.append(row.tags.joined(separator: ";"))
            fields.append(row.lots.map { "\($0.acquiredBy)=\($0.amount)" }.joined(separator: ";"))
        }
        return fields
    }
}
