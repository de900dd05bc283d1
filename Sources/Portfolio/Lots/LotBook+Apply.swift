import Instruments

/// What came into and went out of the whole ledger, in the base currency.
///
/// Money counts at its rate of the day, coins at their cost, coins that were spent at what they bought.
struct FlowTotals {
    var deposits = Amount.zero
    var withdrawals = Amount.zero
    /// Money that was lost or stolen.
    var lost = Amount.zero
}

extension LotBook {
    /// Applies one row.
    ///
    /// What the row is about comes first, then its fee: a fee in coin takes the lots that the row left.
    mutating func apply(_ index: Int) throws(LedgerError) {
        let row = ledger.transactions[index]
        let accounts = ledger.accounts[index]
        if row.kind.isExchange {
            try exchange(index, row, accounts)
        } else if row.kind.isReceipt {
            receive(index, row, accounts)
            try expense(index, row, accounts)
        } else if row.kind == .transfer {
            try transfer(index, row, accounts)
            try expense(index, row, accounts)
        } else {
            try give(index, row, accounts)
            try expense(index, row, accounts)
        }
    }

    /// What so much is worth at a time; `nil`, and noted, when no price is known.
    mutating func value(_ holding: Holding, _ time: Timestamp) -> Amount? {
        if let known = known(holding, time) { return known }
        missing.append(MissingPrice(asset: holding.asset, time: time))
        return nil
    }

    private func known(_ holding: Holding, _ time: Timestamp) -> Amount? {
        if holding.asset == base { return holding.amount }
        return prices.price(of: holding.asset, in: base, at: time).map { holding.amount * $0.price }
    }

    // MARK: Exchanges

    private mutating func exchange(_ index: Int, _ row: Transaction, _ accounts: EntryAccounts)
        throws(LedgerError)
    {
        guard let given = row.given, let gotten = row.gotten else { return }
        let isBuy = row.kind == .buy
        let out = isBuy ? accounts.counter : accounts.subject
        let into = isBuy ? accounts.subject : accounts.counter
        // Money for money: nothing has lots, and its rate shows in the valuation.
        if isMoney(out), isMoney(into) { return try expense(index, row, accounts) }
        let known = exchangeValue(given, gotten, row.time)

        let start = pieces.count
        let cost = isMoney(out) ? nil : try take(given.amount, from: pool(out), choices: row.lots, row: index)
        let taken = start..<pieces.count
        let value = known ?? cost ?? .zero
        // Without a value there is nothing that a fee could make dearer or cheaper.
        let treatment: FeeTreatment =
            known == nil ? .expense : isBuy || cost == nil ? .basis : .proceeds
        // A fee in what was just bought is paid out of the lot that it makes dearer: its value comes first.
        let implied = known.flatMap { known in
            row.fee.flatMap { impliedValue($0, given, gotten, known) }
        }
        let isPaidFirst = known != nil && implied == nil
        let fee = isPaidFirst ? try pay(index, row, accounts, treatment, nil) : implied ?? .zero
        if !isMoney(into) {
            let basis = treatment == .basis ? value + fee : value
            let reason: AssumedBasis? = known != nil ? nil : cost == nil ? .zero : .carried
            acquire(index, gotten, into, basis: basis, value: value, assumed: reason)
        }
        if !isPaidFirst { _ = try pay(index, row, accounts, treatment, implied) }
        if let cost {
            let proceeds = known.map { treatment == .proceeds ? $0 - fee : $0 }
            dispose(index, row.kind, given, out, cost, taken, proceeds: proceeds)
        }
    }

    /// The value of an exchange: what the money says, else a price of what was got, else of what was given.
    private mutating func exchangeValue(_ given: Holding, _ gotten: Holding, _ time: Timestamp) -> Amount? {
        for side in [gotten, given] where side.asset == base { return side.amount }
        for side in [gotten, given] where side.asset.isCurrency {
            if let value = known(side, time) { return value }
        }
        if let value = known(gotten, time) ?? known(given, time) { return value }
        let named = given.asset.isCurrency ? given : gotten
        missing.append(MissingPrice(asset: named.asset, time: time))
        return nil
    }

    /// A fee in one of the two assets is worth its share of what the exchange was worth.
    private func impliedValue(_ fee: Holding, _ given: Holding, _ gotten: Holding, _ value: Amount) -> Amount? {
        if fee.asset == base { return fee.amount }
        for side in [gotten, given] where side.asset == fee.asset {
            return value.portion(fee.amount, of: side.amount, places: LotBook.places)
        }
        return nil
    }

    // MARK: Receipts

    private mutating func receive(_ index: Int, _ row: Transaction, _ accounts: EntryAccounts) {
        // Money is worth its rate; a coin what its owner says.
        let stated = isMoney(accounts.subject) ? nil : row.counter.flatMap { known($0, row.time) }
        let value = stated ?? value(row.subject, row.time)
        if row.kind.isIncome {
            income.append(IncomeEntry(entry: index, value: value))
        } else {
            flows.deposits += value ?? .zero
        }
        guard !isMoney(accounts.subject) else { return }
        // The fair value of income is its cost by law, wherever the price is from. Other receipts have a cost
        // that only their owner knows.
        let isStated = stated != nil || (row.kind.isIncome && value != nil)
        let reason: AssumedBasis? = isStated ? nil : value == nil ? .zero : .price
        let basis = value ?? .zero
        acquire(index, row.subject, accounts.subject, basis: basis, value: basis, assumed: reason)
    }

    private mutating func acquire(
        _ index: Int, _ what: Holding, _ account: Int32, basis: Amount, value: Amount,
        assumed reason: AssumedBasis?
    ) {
        // Only HIFO and LOFO look at it, but a policy may turn to them later.
        let price = value.divided(by: what.amount, places: LotBook.places) ?? .zero
        let lot = Lot(
            amount: what.amount, basis: basis, price: price, acquired: ledger.transactions[index].time,
            entry: Int32(index), account: account, assumed: reason)
        unitPrices[index] = price
        add(lot, to: pool(account))
        if let reason {
            assumed.append(AssumedEntry(entry: index, subject: what, costBasis: basis, reason: reason))
        }
    }

    // MARK: What leaves

    private mutating func give(_ index: Int, _ row: Transaction, _ accounts: EntryAccounts)
        throws(LedgerError)
    {
        let account = accounts.subject
        if isMoney(account) {
            let value = value(row.subject, row.time) ?? .zero
            switch row.kind {
            case .fee:
                fees.append(
                    FeeEntry(
                        entry: index, paid: row.subject, value: value, isAssumed: false, treatment: .expense))
            case .loss: flows.lost += value
            default: flows.withdrawals += value
            }
            return
        }
        let start = pieces.count
        let cost = try take(row.subject.amount, from: pool(account), choices: row.lots, row: index)
        let taken = start..<pieces.count
        switch row.kind {
        case .withdrawal, .giftOut:
            flows.withdrawals += cost
            removals.append(Removal(entry: index, costBasis: cost, pieces: taken))
        case .loss: dispose(index, .loss, row.subject, account, cost, taken, proceeds: .zero)
        default:
            let value = fairValue(row)
            dispose(index, row.kind, row.subject, account, cost, taken, proceeds: value)
            if row.kind == .fee {
                fees.append(
                    FeeEntry(
                        entry: index, paid: row.subject, value: value ?? cost, isAssumed: value == nil,
                        treatment: .expense))
            } else {
                flows.withdrawals += value ?? cost
            }
        }
    }

    /// What the row's counter amount says, else a price.
    private mutating func fairValue(_ row: Transaction) -> Amount? {
        if let counter = row.counter, let stated = known(counter, row.time) { return stated }
        return value(row.subject, row.time)
    }

    private mutating func dispose(
        _ index: Int, _ kind: TransactionKind, _ what: Holding, _ account: Int32, _ cost: Amount,
        _ taken: Range<Int>, proceeds: Amount?
    ) {
        disposals.append(
            Disposal(
                entry: index, kind: kind, time: ledger.transactions[index].time,
                wallet: ledger.names.walletName(ofAccount: account), subject: what, proceeds: proceeds,
                costBasis: cost, pieces: taken))
    }

    private mutating func transfer(_ index: Int, _ row: Transaction, _ accounts: EntryAccounts)
        throws(LedgerError)
    {
        guard scope == .wallet, !isMoney(accounts.subject) else { return }
        let start = pieces.count
        _ = try take(row.subject.amount, from: pool(accounts.subject), choices: row.lots, row: index)
        for piece in pieces[start...] {
            let source = Int32(piece.acquiredBy)
            let lot = Lot(
                amount: piece.amount, basis: piece.costBasis, price: unitPrices[Int(source)],
                acquired: piece.acquired, entry: source, account: accounts.target, assumed: piece.assumed)
            add(lot, to: pool(accounts.target))
        }
        pieces.removeSubrange(start...)
    }

    // MARK: Fees

    /// The fee of a row that is no exchange: a cost of its own.
    private mutating func expense(_ index: Int, _ row: Transaction, _ accounts: EntryAccounts)
        throws(LedgerError)
    {
        guard let fee = row.fee else { return }
        // The row's own counter amount says what a unit is worth, where both are of one asset.
        let stated = row.counter.flatMap { counter in
            fee.asset == row.subject.asset && !row.kind.isExchange && !isMoney(accounts.fee)
                ? known(counter, row.time)?.portion(
                    fee.amount, of: row.subject.amount, places: LotBook.places)
                : nil
        }
        _ = try pay(index, row, accounts, .expense, stated)
    }

    /// Pays a fee; in coin this is a disposal.
    ///
    /// - Returns: Its value; where no price is known, what the coins had cost.
    private mutating func pay(
        _ index: Int, _ row: Transaction, _ accounts: EntryAccounts, _ treatment: FeeTreatment,
        _ stated: Amount?
    ) throws(LedgerError) -> Amount {
        guard let fee = row.fee, fee.amount.isPositive else { return .zero }
        let known = stated ?? value(fee, row.time)
        var worth = known ?? .zero
        if !isMoney(accounts.fee) {
            let start = pieces.count
            let cost = try take(fee.amount, from: pool(accounts.fee), row: index)
            dispose(index, .fee, fee, accounts.fee, cost, start..<pieces.count, proceeds: known)
            worth = known ?? cost
        }
        fees.append(
            FeeEntry(entry: index, paid: fee, value: worth, isAssumed: known == nil, treatment: treatment))
        return worth
    }
}
