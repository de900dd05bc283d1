import Instruments

/// A ledger from an instant on: rows that go on from what was there before.
///
/// Order and checks are those of ``Ledger``. All rows of an instant are in it or none, and whoever gives the
/// opening balances vouches for what came before.
package struct LedgerTail: Sendable {
    /// What every wallet holds in the end, as ``Ledger/balances(at:)`` says it.
    package let balances: [Balance]

    /// Validates rows after what was there before them.
    ///
    /// - Parameters:
    ///   - rows: In any order; no two have the same external id.
    ///   - opening: What every wallet held before the first of them.
    /// - Throws: The first ``LedgerError`` in order of time.
    package init(_ rows: [Transaction], after opening: [Balance]) throws(LedgerError) {
        for (index, row) in rows.enumerated() { try row.check(index) }
        var book = LedgerPosting(rows, after: opening)
        try book.post(Ledger.sorted(Array(rows.indices), of: rows), while: { true })
        balances = book.names.balances(book.balances)
    }
}

/// What wallets hold: sums of rows that are added and taken away in any order.
package struct BalanceSheet: Sendable {
    private var names = LedgerNames()
    private var amounts: [Amount] = []

    /// Begins with what is there.
    package init(_ balances: [Balance] = []) {
        for balance in balances {
            let account = names.account(of: balance)
            open()
            amounts[Int(account)] += balance.holding.amount
        }
    }

    /// Adds what a row moves.
    package mutating func add(_ row: Transaction) {
        let posting = names.posting(of: row)
        open()
        posting.move { amounts[Int($0)] += $1 }
    }

    /// Takes away what a row moved.
    package mutating func take(_ row: Transaction) {
        let posting = names.posting(of: row)
        open()
        posting.move { amounts[Int($0)] -= $1 }
    }

    /// By wallet and asset; what is zero is left out.
    package var balances: [Balance] { names.balances(amounts) }

    private mutating func open() {
        while amounts.count < names.accounts.count { amounts.append(.zero) }
    }
}
