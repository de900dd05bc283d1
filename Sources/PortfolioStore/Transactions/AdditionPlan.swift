import Instruments
import Portfolio
import Store

/// Which of some rows are new to a ledger, once the whole holds together.
struct AdditionPlan {
    /// Places of rows to store, in order.
    private(set) var added: [Int] = []
    /// Places of rows that are stored already or stand twice.
    private(set) var duplicates: [Int] = []
    /// What every wallet holds afterwards.
    private(set) var balances: [Balance] = []

    /// Compares rows with those that are stored.
    ///
    /// - Parameters:
    ///   - rows: What is to be stored.
    ///   - current: What is.
    ///   - known: How rows are found that are stored already.
    ///   - lines: Of a file, the line of each row; empty for rows of no file.
    /// - Throws: ``PortfolioRefused`` in a ``StoreError/body(_:)``.
    init(
        _ rows: [Transaction], to current: [StoredTransaction], known: KnownRows, lines: [Int] = []
    ) throws(StoreError) {
        var known = known
        let alike = known.alike(rows)
        for (index, row) in rows.enumerated() {
            if let reason = TransactionAdmission.refusal(of: row) {
                throw .body(PortfolioRefused(index: index, reason))
            }
            if row.externalID.isEmpty {
                if alike.contains(index) { duplicates.append(index) } else { added.append(index) }
            } else if let other = known.named[row.externalID] {
                guard other.said.contains(row) else {
                    throw .body(AdditionPlan.conflict(row, other.number, index, rows, lines))
                }
                duplicates.append(index)
            } else {
                known.named[row.externalID] = KnownRows.Named(number: nil, said: [row])
                added.append(index)
            }
        }
        if !added.isEmpty {
            balances = try check(current.map(\.transaction) + added.map { rows[$0] }, current)
        }
    }

    private static func conflict(
        _ row: Transaction, _ number: Int64?, _ index: Int, _ rows: [Transaction],
        _ lines: [Int]
    ) -> PortfolioRefused {
        if let number {
            return PortfolioRefused(index: index, .conflictingID(row.externalID, number: number))
        }
        let other = rows.firstIndex { $0.externalID == row.externalID } ?? 0
        if lines.indices.contains(other) {
            return PortfolioRefused(index: index, .repeatedID(row.externalID, line: lines[other]))
        }
        return PortfolioRefused(
            index: index,
            .ledger(LedgerError(index: index, time: row.time, reason: .conflictingID(other: other))))
    }

    private func check(_ rows: [Transaction], _ current: [StoredTransaction]) throws(StoreError)
        -> [Balance]
    {
        if var refused = TransactionAdmission.misspelling(in: rows, from: current.count) {
            refused.index = refused.index.map { added.indices.contains($0) ? added[$0] : $0 }
            throw .body(refused)
        }
        do throws(LedgerError) {
            return try Ledger(rows).balances()
        } catch {
            guard error.index >= current.count else {
                throw .body(PortfolioRefused(.breaks(number: current[error.index].number, error)))
            }
            let place = added[error.index - current.count]
            throw .body(PortfolioRefused(index: place, .ledger(error)))
        }
    }
}
