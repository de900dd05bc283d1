import Instruments
package import Portfolio

/// A table of prices: `time,asset,currency,price`.
package enum PriceCSV {
    /// The columns, in order.
    package static let header = ["time", "asset", "currency", "price"]

    /// Reads prices; a time may be a day alone, which means its first instant in UTC.
    ///
    /// - Throws: The first ``FileFault``.
    package static func read(_ bytes: [UInt8]) throws(FileFault) -> PriceHistory {
        var reader = try TableReader(bytes)
        guard let first = try reader.next() else {
            throw FileFault(line: 1, "the file is empty; its first line is \(header.joined(separator: ","))")
        }
        var columns: [String: Int] = [:]
        for (index, name) in first.fields.enumerated() { columns[name] = index }
        for name in header where columns[name] == nil {
            throw FileFault(line: first.line, "column \"\(name)\" is missing")
        }
        var rows: [(asset: Asset, currency: Asset, point: PricePoint)] = []
        while let row = try reader.next() {
            guard rows.count < ImportedLedger.limit else {
                throw FileFault(line: row.line, "more than \(ImportedLedger.limit) prices")
            }
            let fields = Fields(row: row, columns: columns)
            let time = try fields.time("time", zone: nil) { $0.utf8.count == 10 ? "\($0)T00:00:00Z" : $0 }
            guard let asset = try fields.asset("asset"), let currency = try fields.asset("currency") else {
                throw fields.fault("asset", "asset and currency must both be there")
            }
            let price = try fields.requiredAmount("price")
            rows.append((asset, currency, PricePoint(time: time, price: price)))
        }
        return PriceHistory(rows)
    }
}
