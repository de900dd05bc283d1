import Instruments
import LedgerFiles
import Portfolio

/// Any table whose columns are mapped to ours.
enum MappedTable {
    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let theirs = try theirs(options.columns)
        let table = try ForeignTable(bytes, "this mapping", needing: options.columns.keys.sorted())
        var columns = theirs.compactMapValues { table.columns[$0] }
        for own in LedgerCSV.header where columns[own] == nil { columns[own] = table.columns[own] }
        // The wallet that the options name stands in a column behind the last.
        if columns["wallet"] == nil, options.wallet != nil { columns["wallet"] = table.header.count }
        var result = ImportedLedger()
        result.columns = columns.filter { $0.value < table.header.count }
        for row in table.rows {
            var changed = row.row
            if let column = columns["wallet"], column == table.header.count, let wallet = options.wallet {
                while changed.fields.count < column { changed.fields.append("") }
                changed.fields.append(wallet)
            }
            if let column = columns["kind"], column < changed.fields.count,
                let kind = options.kinds[changed.fields[column]]
            {
                if kind == "skip" {
                    result.skip(row.line, "kind \"\(changed.fields[column])\" is mapped to skip")
                    continue
                }
                changed.fields[column] = kind
            }
            let fields = Fields(row: changed, columns: columns)
            try result.append(
                LedgerCSV.transaction(fields, options.base, zone: options.zone), line: row.line)
        }
        return result
    }

    /// The column of each of our fields.
    private static func theirs(_ columns: [String: String]) throws(FileFault) -> [String: String] {
        var theirs: [String: String] = [:]
        for column in columns.keys.sorted() {
            let names = (columns[column] ?? "").split(separator: ",", omittingEmptySubsequences: false)
            for own in names.map(String.init) {
                guard LedgerCSV.header.contains(own) || LedgerCSV.furtherColumns.contains(own) else {
                    throw FileFault(
                        line: 0, "column \"\(column)\" is mapped to \"\(own)\", which is none of ours")
                }
                if let other = theirs.updateValue(column, forKey: own), other != column {
                    throw FileFault(
                        line: 0, "\"\(own)\" is mapped to both \"\(other)\" and \"\(column)\"; name one")
                }
            }
        }
        return theirs
    }
}
