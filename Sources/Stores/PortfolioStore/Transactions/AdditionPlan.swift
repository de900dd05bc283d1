import Instruments
import Portfolio
import Store

/// Which of some rows are new to a ledger.
struct AdditionPlan {
    /// Places of rows to store, in order.
    private(set) var added: [Int] = []
    /// Places of rows that are stored already or stand twice.
    private(set) var duplicates: [Int] = []
    /// Of those, the numbers of the transactions that say or said the same under the same external id.
    private(set) var known: [Int: Int64] = [:]

    /// Compares rows with those that are stored.
    ///
    /// - Parameters:
    ///   - rows: What is to be stored.
    ///   - known: How rows are found that are stored already.
    ///   - lines: Of a file, the line of each row; empty for rows of no file.
    /// - Throws: ``PortfolioRefused`` in a ``StoreError/body(_:)``.
    init(
        _ rows: [Transaction], known: KnownRows, lines: [Int] = []
    ) throws(StoreError) {
        var known = known
        let alike = known.alike(rows)
        for (index, row) in rows.enumerated() {
            if let reason = TransactionAdmission.refusal(of: row) {
                throw .body(PortfolioRefused(index: index, reason))
            }
            if row.externalID.isEmpty {
                if alike.contains(index) { duplicates.append(index) } else { added.append(index) }
            } else if let number = known.named[row.externalID]?.said[row] {
                duplicates.append(index)
                self.known[index] = number
            } else {
                try AdditionPlan.refuseConflict(row, known.named[row.externalID]?.holder, index, rows, lines)
                var named = known.named[row.externalID] ?? KnownRows.Named()
                named.holder = .row
                named.said[row] = .some(nil)
                known.named[row.externalID] = named
                added.append(index)
            }
        }
    }

    /// An external id is that of one transaction at a time.
    private static func refuseConflict(
        _ row: Transaction, _ holder: KnownRows.Named.Holder?, _ index: Int, _ rows: [Transaction],
        _ lines: [Int]
    ) throws(StoreError) {
        switch holder {
        case nil, .some(.none): return
        case .stored(let number):
            throw .body(PortfolioRefused(index: index, .conflictingID(row.externalID, number: number)))
        case .row: break
        }
        let other = rows.firstIndex { $0.externalID == row.externalID } ?? 0
        guard !lines.indices.contains(other) else {
            throw .body(PortfolioRefused(index: index, .repeatedID(row.externalID, line: lines[other])))
        }
        throw .body(
            PortfolioRefused(
                index: index,
                .ledger(LedgerError(index: index, time: row.time, reason: .conflictingID(other: other)))))
    }
}
