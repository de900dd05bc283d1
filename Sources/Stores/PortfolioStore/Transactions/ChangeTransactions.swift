package import AccountStore
package import Instruments
import MarketStore
package import Portfolio
package import Store

/// What was added, and what was there already.
package struct AddedTransactions: Hashable, Sendable {
    /// New ones, in the order in which they were given.
    package var numbers: ClosedRange<Int64>?
    /// Places of given ones that are stored already.
    package var duplicates: [Int] = []
    /// By place, the transactions that those are, of rows with an external id.
    package var known: [Int: Int64] = [:]
    /// Places of given ones that are stored now, in order.
    package var added: [Int] = []
}

extension Session {
    /// Stores transactions, all or none.
    ///
    /// Inside a transaction only.
    /// One whose external id is stored already with the same content, or was before an edit, is left out, so
    /// that a repetition adds nothing. The whole ledger must hold together afterwards.
    ///
    /// - Parameters:
    ///   - rows: Their wallets are the portfolio's.
    ///   - id: Where to.
    ///   - user: Whose.
    ///   - limits: What the portfolio may have.
    ///   - now: The time of the change.
    /// - Returns: Which were new, and their numbers.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func addTransactions(
        _ rows: [Transaction], to id: PortfolioID, of user: UserID,
        limits: PortfolioLimits = PortfolioLimits(), at now: Timestamp
    ) throws(StoreError) -> AddedTransactions {
        var portfolio = try lockPortfolio(id, of: user)
        let rows = rows.map(\.withoutEmptyFee)
        let wallets = Set(try self.wallets(of: id, by: user).map(\.name))
        for (index, row) in rows.enumerated() {
            for (field, name) in [("wallet", row.wallet), ("to_wallet", row.toWallet)] {
                guard let name, !wallets.contains(name) else { continue }
                let known = wallets.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
                throw .body(
                    PortfolioRefused(
                        index: index,
                        .fault(
                            FieldFault(
                                field, "\"\(name.prefix(80))\"",
                                accepted: wallets.isEmpty
                                    ? "a wallet of the portfolio, which has none yet: add one first"
                                    : known))))
            }
        }
        let current = try ledgerRows(of: id, by: user)
        let known = KnownRows(
            current,
            earlier: try earlierRevisions(
                of: id, by: user, externalIDs: rows.map(\.externalID).filter { !$0.isEmpty }),
            matchesContent: false)
        let plan = try AdditionPlan(rows, to: current, known: known)
        for place in plan.added {
            guard let reason = limits.refusal(of: rows[place]) else { continue }
            throw .body(PortfolioRefused(index: place, reason))
        }
        try checkRoom(forRowsAt: plan.added, in: portfolio, limits)
        try refuseExcessiveFees(at: plan.added, of: rows, in: portfolio.base)
        return try write(plan, of: rows, to: &portfolio, .added, at: now)
    }

    /// Changes what a transaction says; the earlier revision stays.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - number: Which.
    ///   - id: Of which portfolio.
    ///   - user: Whose.
    ///   - expected: The revision that must be in force; `nil` for any.
    ///   - limits: What the portfolio may have.
    ///   - now: The time of the change.
    ///   - edit: Makes the new transaction of the old one.
    /// - Returns: The transaction as it is now.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func editTransaction(
        _ number: Int64, in id: PortfolioID, of user: UserID, expecting expected: Int32? = nil,
        limits: PortfolioLimits = PortfolioLimits(), at now: Timestamp,
        by edit: (Transaction) throws(PortfolioRefused) -> Transaction
    ) throws(StoreError) -> StoredTransaction {
        var portfolio = try lockPortfolio(id, of: user)
        var current = try ledgerRows(of: id, by: user)
        guard let place = current.firstIndex(where: { $0.number == number }) else {
            throw .body(PortfolioRefused(index: 0, .noSuchTransaction(number)))
        }
        let old = current[place]
        if let expected, expected != old.revision {
            throw .body(PortfolioRefused(index: 0, .changedMeanwhile(number, revision: old.revision)))
        }
        var new = old
        do throws(PortfolioRefused) {
            new.transaction = try edit(old.transaction).withoutEmptyFee
        } catch {
            throw .body(error)
        }
        guard new != old else { return old }
        if old.revision >= limits.revisions {
            let fault = QuotaFault(
                "revisions", count: Int(old.revision) + 1, limit: limits.revisions,
                advice: "remove the transaction and add it anew")
            throw .body(PortfolioRefused(index: 0, .quota(fault)))
        }
        if let reason = limits.refusal(of: new.transaction, insteadOf: old.transaction) {
            throw .body(PortfolioRefused(index: 0, reason))
        }
        current[place] = new
        let balances = try check(current, changed: place)
        try refuseExcessiveFees(at: [0], of: [new.transaction], in: portfolio.base)
        try beginChange(.edited, of: &portfolio, at: now)
        new.revision += 1
        new.change = portfolio.change
        try supersede([number], in: portfolio)
        try put([RevisionRow(portfolio: id, row: new)])
        try forgetDays(of: id, from: min(old.transaction.time, new.transaction.time))
        try followMarkets(of: portfolio, holding: balances, at: now.inMicroseconds)
        return new
    }

    /// Removes transactions, all or none; their revisions stay.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func removeTransactions(
        _ numbers: [Int64], from id: PortfolioID, of user: UserID, at now: Timestamp
    ) throws(StoreError) {
        var portfolio = try lockPortfolio(id, of: user)
        let current = try ledgerRows(of: id, by: user)
        let known = Set(current.map(\.number))
        if let index = numbers.firstIndex(where: { !known.contains($0) }) {
            throw .body(PortfolioRefused(index: index, .noSuchTransaction(numbers[index])))
        }
        let gone = Set(numbers)
        guard !gone.isEmpty else { return }
        let balances = try check(current.filter { !gone.contains($0.number) }, changed: nil)
        try beginChange(.removed, of: &portfolio, at: now)
        try supersede(gone.sorted(), in: portfolio)
        let times = current.filter { gone.contains($0.number) }.map(\.transaction.time)
        try forgetDays(of: id, from: times.min() ?? .zero)
        try followMarkets(of: portfolio, holding: balances, at: now.inMicroseconds)
    }

    /// Ends revisions that are in force.
    private func supersede(_ numbers: [Int64], in portfolio: StoredPortfolio) throws(StoreError) {
        try execute(
            """
            UPDATE portfolio.revision SET superseded = \(portfolio.change)
            WHERE portfolio_id = \(portfolio.id) AND number = ANY (\(numbers)) AND superseded IS NULL
            """)
    }

    /// Whether rows hold together after one of them changed.
    private func check(_ rows: [StoredTransaction], changed: Int?) throws(StoreError) -> [Balance] {
        let transactions = rows.map(\.transaction)
        if let changed {
            if let reason = TransactionAdmission.refusal(of: transactions[changed]) {
                throw .body(PortfolioRefused(index: 0, reason))
            }
            let reordered = transactions.enumerated().filter { $0.offset != changed }.map(\.element)
            if let refused = TransactionAdmission.misspelling(
                in: reordered + [transactions[changed]], from: reordered.count)
            {
                throw .body(refused)
            }
            let id = transactions[changed].externalID
            if !id.isEmpty,
                let other = rows.first(where: {
                    $0.transaction.externalID == id && $0.number != rows[changed].number
                })
            {
                throw .body(PortfolioRefused(index: 0, .conflictingID(id, number: other.number)))
            }
        }
        do throws(LedgerError) {
            return try Ledger(transactions).balances()
        } catch {
            let isChanged = error.index == changed
            throw .body(
                PortfolioRefused(
                    index: isChanged ? 0 : nil,
                    isChanged ? .ledger(error) : .breaks(number: rows[error.index].number, error)))
        }
    }

    /// Writes what a plan found to be new.
    func write(
        _ plan: AdditionPlan, of rows: [Transaction], to portfolio: inout StoredPortfolio,
        _ kind: ChangeKind, at now: Timestamp
    ) throws(StoreError) -> AddedTransactions {
        guard let first = plan.added.first else {
            return AddedTransactions(duplicates: plan.duplicates, known: plan.known)
        }
        try beginChange(kind, of: &portfolio, at: now)
        let start = portfolio.lastNumber + 1
        let stored = plan.added.enumerated().lazy.map { [portfolio] offset, place in
            RevisionRow(
                portfolio: portfolio.id,
                row: StoredTransaction(
                    number: start + Int64(offset), revision: 1, change: portfolio.change,
                    transaction: rows[place]))
        }
        try put(stored)
        portfolio.lastNumber += Int64(plan.added.count)
        try execute(
            """
            UPDATE portfolio.portfolio SET last_number = \(portfolio.lastNumber)
            WHERE portfolio_id = \(portfolio.id)
            """)
        let earliest = plan.added.reduce(rows[first].time) { min($0, rows[$1].time) }
        try forgetDays(of: portfolio.id, from: earliest)
        try followMarkets(of: portfolio, holding: plan.balances, at: now.inMicroseconds)
        return AddedTransactions(
            numbers: start...portfolio.lastNumber, duplicates: plan.duplicates, known: plan.known,
            added: plan.added)
    }
}

extension Transaction {
    /// A fee of nothing is none, as in the files.
    var withoutEmptyFee: Transaction {
        guard let fee, fee.amount.isZero else { return self }
        var row = self
        row.fee = nil
        return row
    }
}
