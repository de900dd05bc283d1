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
        let named = rows.map(\.externalID).filter { !$0.isEmpty }
        let known = KnownRows(
            try rowsInForce(of: id, by: user, externalIDs: named),
            earlier: try earlierRevisions(of: id, by: user, externalIDs: named), matchesContent: false)
        let plan = try AdditionPlan(rows, known: known)
        guard !plan.added.isEmpty else {
            return AddedTransactions(duplicates: plan.duplicates, known: plan.known)
        }
        for place in plan.added {
            guard let reason = limits.refusal(of: rows[place]) else { continue }
            throw .body(PortfolioRefused(index: place, reason))
        }
        try checkRoom(forRowsAt: plan.added, in: portfolio, limits)
        let change = plan.change(of: rows, in: portfolio)
        let replay = try replay(change, of: portfolio)
        try refuseExcessiveFees(at: plan.added, of: rows, in: portfolio.base)
        let numbers = try write(change, replay, to: &portfolio, .added, at: now)
        return AddedTransactions(
            numbers: numbers, duplicates: plan.duplicates, known: plan.known, added: plan.added)
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
        guard let old = try rowsInForce(of: id, by: user, numbers: [number]).first else {
            throw .body(PortfolioRefused(index: 0, .noSuchTransaction(number)))
        }
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
        try admit(new, of: portfolio)
        (new.revision, new.change) = (old.revision + 1, portfolio.change + 1)
        let change = LedgerChange(gone: [old], new: [LedgerChange.NewRow(place: 0, row: new)])
        let replay = try replay(change, of: portfolio)
        try refuseExcessiveFees(at: [0], of: [new.transaction], in: portfolio.base)
        _ = try write(change, replay, to: &portfolio, .edited, at: now)
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
        let rows = try rowsInForce(of: id, by: user, numbers: numbers)
        let known = Set(rows.map(\.number))
        if let index = numbers.firstIndex(where: { !known.contains($0) }) {
            throw .body(PortfolioRefused(index: index, .noSuchTransaction(numbers[index])))
        }
        guard !rows.isEmpty else { return }
        let change = LedgerChange(gone: rows)
        let replay = try replay(change, of: portfolio)
        _ = try write(change, replay, to: &portfolio, .removed, at: now)
    }

    /// Ends revisions that are in force.
    private func supersede(_ numbers: [Int64], in portfolio: StoredPortfolio) throws(StoreError) {
        try execute(
            """
            UPDATE portfolio.revision SET superseded = \(portfolio.change)
            WHERE portfolio_id = \(portfolio.id) AND number = ANY (\(numbers)) AND superseded IS NULL
            """)
    }

    /// Whether what a transaction says now can be stored.
    private func admit(_ new: StoredTransaction, of portfolio: StoredPortfolio) throws(StoreError) {
        if let reason = TransactionAdmission.refusal(of: new.transaction) {
            throw .body(PortfolioRefused(index: 0, reason))
        }
        let id = new.transaction.externalID
        guard !id.isEmpty else { return }
        let holders = try rowsInForce(of: portfolio.id, by: portfolio.user, externalIDs: [id])
        guard let other = holders.first(where: { $0.number != new.number }) else { return }
        throw .body(PortfolioRefused(index: 0, .conflictingID(id, number: other.number)))
    }

    /// Stores a change that was found to be right; the numbers of rows that the portfolio did not have.
    func write(
        _ change: LedgerChange, _ replay: LedgerReplay, to portfolio: inout StoredPortfolio,
        _ kind: ChangeKind, at now: Timestamp
    ) throws(StoreError) -> ClosedRange<Int64>? {
        try beginChange(kind, of: &portfolio, at: now)
        if !change.gone.isEmpty { try supersede(change.gone.map(\.number).sorted(), in: portfolio) }
        if !change.new.isEmpty {
            try put(change.new.lazy.map { [portfolio] in RevisionRow(portfolio: portfolio.id, row: $0.row) })
        }
        let first = portfolio.lastNumber + 1
        if let last = change.new.last?.row.number, last >= first {
            portfolio.lastNumber = last
            try execute(
                "UPDATE portfolio.portfolio SET last_number = \(last) WHERE portfolio_id = \(portfolio.id)")
        }
        try put(replay, of: portfolio)
        try forgetDays(of: portfolio.id, from: change.start ?? .zero)
        var held = Set(replay.after.balances.map(\.holding.asset))
        // What goes with a transaction of the future is there until then.
        if try hasRows(of: portfolio.id, after: now) { held.formUnion(try assets(of: portfolio.id)) }
        try followMarkets(of: portfolio, holding: held, at: now.inMicroseconds)
        return portfolio.lastNumber >= first ? first...portfolio.lastNumber : nil
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
