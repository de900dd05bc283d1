import Instruments
import Portfolio

/// What a change does to the transactions in force.
struct LedgerChange {
    /// A row that is in force from now on, and which one of the call it is.
    struct NewRow {
        var place: Int
        var row: StoredTransaction
    }

    /// Those that are in force no more, as they were.
    var gone: [StoredTransaction] = []
    /// Those that are from now on; one that was edited keeps its number.
    var new: [NewRow] = []

    /// The first instant that it touches on; `nil` for nothing.
    var start: Timestamp? { (gone + new.map(\.row)).map(\.transaction.time).min() }
}

extension AdditionPlan {
    /// The rows that are new to a portfolio, as its next change stores them.
    func change(of rows: [Transaction], in portfolio: StoredPortfolio) -> LedgerChange {
        var change = LedgerChange()
        for (offset, place) in added.enumerated() {
            let row = StoredTransaction(
                number: portfolio.lastNumber + 1 + Int64(offset), revision: 1, change: portfolio.change + 1,
                transaction: rows[place])
            change.new.append(LedgerChange.NewRow(place: place, row: row))
        }
        return change
    }
}
