import Instruments
import Portfolio
import Store

/// Whether a ledger holds together after a change, and what it comes to then.
///
/// It is replayed from the first instant that the change touches on: what is before stays as it was, and was
/// right. What the wallets held there is what they hold in the end without the rows since. Without a
/// checkpoint it is replayed from its beginning; where nothing can break (``LedgerProof``) not at all.
struct LedgerReplay {
    /// What it came to before; `nil` where that was not known.
    let before: LedgerCheckpoint?
    /// What it comes to now.
    private(set) var after = LedgerCheckpoint()

    /// Replays.
    ///
    /// - Parameters:
    ///   - change: What becomes of the ledger.
    ///   - rows: The rows in force, by number: those from the change's first instant on, or all without a
    ///     checkpoint.
    ///   - before: The checkpoint before the change.
    /// - Throws: ``PortfolioRefused`` in a ``StoreError/body(_:)``.
    init(
        _ change: LedgerChange, of rows: [StoredTransaction], after before: LedgerCheckpoint?
    ) throws(StoreError) {
        self.before = before
        var opening = BalanceSheet(before?.balances ?? [])
        after.uses = before?.uses ?? [:]
        for row in rows {
            if before != nil { opening.take(row.transaction) } else { after.count(row.transaction, 1) }
        }
        for row in change.gone { after.count(row.transaction, -1) }
        try refuseMisspelling(in: change.new)
        for new in change.new { after.count(new.row.transaction, 1) }
        let gone = Set(change.gone.map(\.number))
        let left = (rows.filter { !gone.contains($0.number) } + change.new.map(\.row))
            .sorted { $0.number < $1.number }
        do throws(LedgerError) {
            after.balances = try LedgerTail(left.map(\.transaction), after: opening.balances).balances
        } catch {
            throw .body(Self.refusal(error, of: left[error.index].number, in: change))
        }
    }

    /// Goes on from a checkpoint by a change that is known to break nothing.
    ///
    /// - Throws: ``PortfolioRefused`` in a ``StoreError/body(_:)``.
    init(proven change: LedgerChange, after before: LedgerCheckpoint) throws(StoreError) {
        self.before = before
        after.uses = before.uses
        var sheet = BalanceSheet(before.balances)
        for row in change.gone {
            after.count(row.transaction, -1)
            sheet.take(row.transaction)
        }
        try refuseMisspelling(in: change.new)
        for new in change.new {
            after.count(new.row.transaction, 1)
            sheet.add(new.row.transaction)
        }
        after.balances = sheet.balances
    }

    private func refuseMisspelling(in new: [LedgerChange.NewRow]) throws(StoreError) {
        let known = after.uses.keys.map(\.rawValue)
        guard
            var refused = TransactionAdmission.misspelling(in: new.map(\.row.transaction), beside: known)
        else { return }
        refused.index = refused.index.map { new[$0].place }
        throw .body(refused)
    }

    private static func refusal(
        _ error: LedgerError, of number: Int64, in change: LedgerChange
    ) -> PortfolioRefused {
        var error = error
        guard let new = change.new.first(where: { $0.row.number == number }) else {
            return PortfolioRefused(.breaks(number: number, error))
        }
        error.index = new.place
        return PortfolioRefused(index: new.place, .ledger(error))
    }
}

extension Session {
    /// Replays a portfolio's ledger, as far as a change touches on it; behind the portfolio's lock.
    func replay(_ change: LedgerChange, of portfolio: StoredPortfolio) throws(StoreError) -> LedgerReplay {
        let (id, user) = (portfolio.id, portfolio.user)
        guard let start = change.start, let before = try checkpoint(of: portfolio) else {
            return try LedgerReplay(change, of: try ledgerRows(of: id, by: user), after: nil)
        }
        if try isProven(change, of: portfolio, after: before) {
            return try LedgerReplay(proven: change, after: before)
        }
        return try LedgerReplay(change, of: try ledgerRows(of: id, by: user, since: start), after: before)
    }
}
