import Instruments
import LedgerFiles
import Portfolio

/// A table of another program: its header and its rows.
struct ForeignTable {
    let columns: [String: Int]
    let header: [String]
    var rows: [Fields]

    /// Reads to the first line that has all of `needed`, and what follows it.
    ///
    /// `name` is the format's, for the error when there is no such line.
    init(_ bytes: [UInt8], _ name: String, needing needed: [String]) throws(FileFault) {
        var reader = try TableReader(bytes)
        var header: [String] = []
        var columns: [String: Int] = [:]
        var tried = 0
        // Some exports begin with lines about the account.
        while let row = try reader.next(), tried < 20 {
            tried += 1
            guard needed.allSatisfy(row.fields.contains) else { continue }
            header = row.fields
            break
        }
        guard !header.isEmpty else {
            throw FileFault(
                line: 1, "no header of \(name): a line with \(needed.joined(separator: ", ")) is expected")
        }
        for (index, field) in header.enumerated() where columns[field] == nil { columns[field] = index }
        var rows: [Fields] = []
        while let row = try reader.next() {
            guard rows.count < ImportedLedger.limit else {
                throw FileFault(line: row.line, "more than \(ImportedLedger.limit) rows; split the file")
            }
            rows.append(Fields(row: row, columns: columns))
        }
        self.header = header
        self.columns = columns
        self.rows = rows
    }
}

/// An exchange without the direction that our kinds give it.
struct ForeignExchange {
    var given: Holding
    var gotten: Holding

    /// Money buys, money is sold for, coins are swapped.
    func transaction(_ time: Timestamp, _ wallet: String, fee: Holding?, id: String, note: String)
        -> Transaction
    {
        let isPurchase = given.asset.isCurrency && !gotten.asset.isCurrency
        let kind: TransactionKind = isPurchase ? .buy : gotten.asset.isCurrency ? .sell : .swap
        return Transaction(
            time: time, kind: kind, wallet: wallet, subject: isPurchase ? gotten : given,
            counter: isPurchase ? given : gotten, fee: fee, externalID: id, note: note)
    }
}

extension Holding {
    /// `nil` for nothing.
    var ifAny: Holding? { amount.isZero ? nil : self }
}
