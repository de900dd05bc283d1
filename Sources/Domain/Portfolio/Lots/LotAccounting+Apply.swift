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

extension LotAccounting {
    /// Applies one row.
    ///
    /// What the row is about comes first, then its fee: a fee in coin takes the lots that the row left.
    mutating func apply(_ index: Int, _ row: Posting) throws(LedgerError) {
        if row.kind.isExchange { return try exchange(index, row) }
        if row.kind.isReceipt {
            receive(index, row)
        } else if row.kind == .transfer {
            try transfer(index, row)
        } else {
            try give(index, row)
        }
        try expense(index, row)
    }

    /// The number of an account's asset.
    func asset(_ account: Int32) -> Int32 { ledger.names.accounts[Int(account)].asset }

    /// What so much is worth at a time; `nil`, and noted, when no price is known.
    mutating func value(_ amount: Amount, _ asset: Int32, _ time: Timestamp) -> Amount? {
        if let known = known(amount, asset, time) { return known }
        missing.append(MissingPrice(asset: ledger.names.assets[Int(asset)], time: time))
        return nil
    }

    /// Notes it when the price is an old one.
    private mutating func known(_ amount: Amount, _ asset: Int32, _ time: Timestamp) -> Amount? {
        if asset == baseNumber { return amount }
        let name = ledger.names.assets[Int(asset)]
        guard let point = prices.price(of: name, in: base, at: time) else { return nil }
        if time.nanoseconds(since: point.time) > Valuation.staleAfter {
            let price = StalePrice(entry: current, asset: name, priced: point.time)
            if stale.last != price { stale.append(price) }
        }
        return amount * point.price
    }

    /// What the row's counter amount is worth.
    private mutating func statedValue(_ row: Posting) -> Amount? {
        row.counterAsset < 0 ? nil : known(row.counter, row.counterAsset, row.time)
    }

    // MARK: Exchanges

    /// The two sides of an exchange.
    private struct Sides {
        var given: Amount
        var out: Int32
        var gotten: Amount
        var into: Int32
    }

    private mutating func exchange(_ index: Int, _ row: Posting) throws(LedgerError) {
        let isBuy = row.kind == .buy
        let (subject, counter) = (row.accounts.subject, row.accounts.counter)
        let sides =
            isBuy
            ? Sides(given: row.counter, out: counter, gotten: row.subject, into: subject)
            : Sides(given: row.subject, out: subject, gotten: row.counter, into: counter)
        // Money for money: nothing has lots, and its rate shows in the valuation.
        if isMoney(sides.out), isMoney(sides.into) { return try expense(index, row) }
        let known = exchangeValue(sides, row.time)

        let start = pieces.count
        let cost =
            isMoney(sides.out)
            ? nil : try take(sides.given, from: pool(sides.out), row: index, hasChoices: row.hasChoices)
        let taken = start..<pieces.count
        let value = known ?? cost ?? .zero
        // Without a value there is nothing that a fee could make dearer or cheaper.
        let treatment: FeeTreatment =
            known == nil ? .expense : isBuy || cost == nil ? .basis : .proceeds
        // A fee in what was just bought is paid out of the lot that it makes dearer: its value comes first.
        let implied = known.flatMap { impliedFee(row, sides, $0) }
        let isPaidFirst = known != nil && implied == nil
        let paid =
            isPaidFirst ? try pay(index, row, treatment, nil) : (worth: implied ?? .zero, isKnown: true)
        if !isMoney(sides.into) {
            let basis = treatment == .basis ? value + paid.worth : value
            let feeReason: AssumedBasis? = treatment == .basis && !paid.isKnown ? .fee : nil
            let reason: AssumedBasis? = known != nil ? feeReason : cost == nil ? .zero : .carried
            acquire(index, row.time, sides.gotten, sides.into, basis: basis, value: value, assumed: reason)
        }
        if !isPaidFirst { _ = try pay(index, row, treatment, implied) }
        if let cost {
            // Without the fee's worth nobody knows what is left of what it brought.
            let isKnown = treatment != .proceeds || paid.isKnown
            let proceeds = isKnown ? known.map { treatment == .proceeds ? $0 - paid.worth : $0 } : nil
            dispose(index, row, row.kind, sides.given, sides.out, cost, taken, proceeds: proceeds)
        }
    }

    /// The value of an exchange: what the money says, else a price of what was got, else of what was given.
    private mutating func exchangeValue(_ sides: Sides, _ time: Timestamp) -> Amount? {
        let (got, gave) = (asset(sides.into), asset(sides.out))
        if got == baseNumber { return sides.gotten }
        if gave == baseNumber { return sides.given }
        let isGivenFirst = isMoney(sides.out)
        if let value = isGivenFirst ? known(sides.given, gave, time) : known(sides.gotten, got, time) {
            return value
        }
        if let value = isGivenFirst ? known(sides.gotten, got, time) : known(sides.given, gave, time) {
            return value
        }
        missing.append(MissingPrice(asset: ledger.names.assets[Int(isGivenFirst ? gave : got)], time: time))
        return nil
    }

    /// A fee in one of the two assets is worth its share of what the exchange was worth.
    private func impliedFee(_ row: Posting, _ sides: Sides, _ value: Amount) -> Amount? {
        let account = row.accounts.fee
        guard account >= 0 else { return .zero }
        let paid = asset(account)
        if paid == baseNumber { return row.fee }
        if paid == asset(sides.into) {
            return value.portion(row.fee, of: sides.gotten, places: LotAccounting.places)
        }
        guard paid == asset(sides.out) else { return nil }
        return value.portion(row.fee, of: sides.given, places: LotAccounting.places)
    }

    // MARK: Receipts

    private mutating func receive(_ index: Int, _ row: Posting) {
        let account = row.accounts.subject
        // Money is worth its rate; a coin what its owner says.
        let stated = isMoney(account) ? nil : statedValue(row)
        let value = stated ?? value(row.subject, asset(account), row.time)
        if row.kind.isIncome {
            income.append(IncomeEntry(entry: index, value: value))
        } else {
            flows.deposits += value ?? .zero
        }
        guard !isMoney(account) else { return }
        // The fair value of income is its cost by law, wherever the price is from. Other receipts have a cost
        // that only their owner knows.
        let isStated = stated != nil || (row.kind.isIncome && value != nil)
        let reason: AssumedBasis? = isStated ? nil : value == nil ? .zero : .price
        let basis = value ?? .zero
        acquire(index, row.time, row.subject, account, basis: basis, value: basis, assumed: reason)
    }

    private mutating func acquire(
        _ index: Int, _ time: Timestamp, _ amount: Amount, _ account: Int32, basis: Amount, value: Amount,
        assumed reason: AssumedBasis?
    ) {
        let lot = Lot(
            amount: amount, basis: basis, price: needsUnitPrices ? UnitPrice(value, for: amount) : .zero,
            acquired: time, entry: Int32(index), account: account, assumed: reason)
        add(lot, to: pool(account))
        if let reason {
            let what = Holding(amount, ledger.names.asset(ofAccount: account))
            assumed.append(AssumedEntry(entry: index, subject: what, costBasis: basis, reason: reason))
        }
    }

    // MARK: What leaves

    private mutating func give(_ index: Int, _ row: Posting) throws(LedgerError) {
        let account = row.accounts.subject
        if isMoney(account) { return giveMoney(index, row) }
        let start = pieces.count
        let cost = try take(row.subject, from: pool(account), row: index, hasChoices: row.hasChoices)
        let taken = start..<pieces.count
        switch row.kind {
        case .withdrawal, .giftOut:
            flows.withdrawals += cost
            removals.append(Removal(entry: index, costBasis: cost, pieces: taken))
        case .loss: dispose(index, row, .loss, row.subject, account, cost, taken, proceeds: .zero)
        default:
            let value = statedValue(row) ?? value(row.subject, asset(account), row.time)
            dispose(index, row, row.kind, row.subject, account, cost, taken, proceeds: value)
            if row.kind == .fee {
                note(row.subject, account, index, value ?? cost, isAssumed: value == nil, .expense)
            } else {
                flows.withdrawals += value ?? cost
            }
        }
    }

    private mutating func giveMoney(_ index: Int, _ row: Posting) {
        let account = row.accounts.subject
        let known = value(row.subject, asset(account), row.time)
        let value = known ?? .zero
        switch row.kind {
        case .fee: note(row.subject, account, index, value, isAssumed: known == nil, .expense)
        case .loss: flows.lost += value
        default: flows.withdrawals += value
        }
    }

    private mutating func dispose(
        _ index: Int, _ row: Posting, _ kind: TransactionKind, _ amount: Amount, _ account: Int32,
        _ cost: Amount, _ taken: Range<Int>, proceeds: Amount?
    ) {
        disposals.append(
            Disposal(
                entry: index, kind: kind, time: row.time, wallet: ledger.names.walletName(ofAccount: account),
                subject: Holding(amount, ledger.names.asset(ofAccount: account)), proceeds: proceeds,
                costBasis: cost, pieces: taken))
    }

    private mutating func transfer(_ index: Int, _ row: Posting) throws(LedgerError) {
        let (source, target) = (row.accounts.subject, row.accounts.target)
        guard scope == .wallet, !isMoney(source) else { return }
        let start = pieces.count
        _ = try take(row.subject, from: pool(source), row: index, hasChoices: row.hasChoices)
        for number in start..<pieces.count {
            let piece = pieces[number]
            let lot = Lot(
                amount: piece.amount, basis: piece.costBasis,
                price: needsUnitPrices ? piecePrices[number] : .zero, acquired: piece.acquired,
                entry: Int32(piece.acquiredBy), account: target, assumed: piece.assumed)
            add(lot, to: pool(target))
        }
        pieces.removeSubrange(start...)
        if needsUnitPrices { piecePrices.removeSubrange(start...) }
    }

    // MARK: Fees

    /// The fee of a row that is no exchange of coins: a cost of its own.
    private mutating func expense(_ index: Int, _ row: Posting) throws(LedgerError) {
        let account = row.accounts.fee
        guard account >= 0 else { return }
        var stated: Amount?
        // The row's own counter amount says what a unit is worth, where both are of one asset.
        if !row.kind.isExchange, !isMoney(account), asset(account) == asset(row.accounts.subject) {
            stated = statedValue(row)?.portion(row.fee, of: row.subject, places: LotAccounting.places)
        }
        _ = try pay(index, row, .expense, stated)
    }

    /// Pays a fee; in coin this is a disposal.
    ///
    /// - Returns: Its value, and whether a price says it; else what the coins had cost, nothing for money.
    private mutating func pay(_ index: Int, _ row: Posting, _ treatment: FeeTreatment, _ stated: Amount?)
        throws(LedgerError) -> (worth: Amount, isKnown: Bool)
    {
        let account = row.accounts.fee
        guard account >= 0, row.fee.isPositive else { return (.zero, true) }
        let known = stated ?? value(row.fee, asset(account), row.time)
        var worth = known ?? .zero
        if !isMoney(account) {
            let start = pieces.count
            let cost = try take(row.fee, from: pool(account), row: index)
            dispose(index, row, .fee, row.fee, account, cost, start..<pieces.count, proceeds: known)
            worth = known ?? cost
        }
        note(row.fee, account, index, worth, isAssumed: known == nil, treatment)
        return (worth, known != nil)
    }

    private mutating func note(
        _ amount: Amount, _ account: Int32, _ index: Int, _ worth: Amount, isAssumed: Bool,
        _ treatment: FeeTreatment
    ) {
        fees.append(
            FeeEntry(
                entry: index, paid: Holding(amount, ledger.names.asset(ofAccount: account)), value: worth,
                isAssumed: isAssumed, treatment: treatment))
    }
}
