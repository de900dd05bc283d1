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
    ///   - matchesContent: Whether a row without an external id is taken for a stored one of the same
    ///     content: as many as are stored are, so that a file read again adds nothing, and two purchases
    ///     alike in one file are still two.
    ///   - lines: Of a file, the line of each row; empty for rows of no file.
    /// - Throws: ``PortfolioRefused`` in a ``StoreError/body(_:)``.
    init(
        _ rows: [Transaction], to current: [StoredTransaction], matchesContent: Bool, lines: [Int] = []
    ) throws(StoreError) {
        var known: [String: (number: Int64?, row: Transaction)] = [:]
        var alike: [Transaction: Int] = [:]
        for stored in current {
            let id = stored.transaction.externalID
            if !id.isEmpty {
                known[id] = (stored.number, stored.transaction)
            } else if matchesContent {
                alike[stored.transaction, default: 0] += 1
            }
        }
        for (index, row) in rows.enumerated() {
            if let reason = TransactionAdmission.refusal(of: row) {
                throw .body(PortfolioRefused(index: index, reason))
            }
            if row.externalID.isEmpty {
                if let count = alike[row], count > 0 {
                    alike[row] = count - 1
                    duplicates.append(index)
                } else {
                    added.append(index)
                }
            } else if let other = known[row.externalID] {
                guard other.row == row else {
                    throw .body(AdditionPlan.conflict(row, other.number, index, rows, lines))
                }
                duplicates.append(index)
            } else {
                known[row.externalID] = (nil, row)
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
