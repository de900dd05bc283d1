package import Instruments

/// All that a ledger's rows mean for cost and gain, up to a moment.
package struct LotReport: Sendable {
    /// The rows it is about.
    package let ledger: Ledger
    /// The currency of all its money.
    package let base: Asset
    /// The last instant that is part of it; `nil` for the whole ledger.
    package let end: Timestamp?
    /// From when on what was held counts as long.
    package let longTerm: LongTerm
    /// What left at a gain or a loss, in order.
    package let disposals: [Disposal]
    /// What left without a gain, in order.
    package let removals: [Removal]
    /// Pieces of lots, as disposals and removals name them.
    package let pieces: [LotPiece]
    /// What is still there, in order of asset, then acquisition.
    package let lots: [OpenLot]
    /// What came in as income, in order.
    package let income: [IncomeEntry]
    /// What was paid as fees, in order.
    package let fees: [FeeEntry]
    /// Where a cost was assumed, in order.
    package let assumed: [AssumedEntry]
    /// Prices that were needed for a value and are not known.
    package let missingPrices: [MissingPrice]
    /// Old prices that were used for values, in order.
    package let stalePrices: [StalePrice]
    /// What every wallet holds at the end.
    package let balances: [Balance]
    /// What came in from outside: money at its rate of the day, coins at their cost.
    package let deposits: Amount
    /// What left without a sale: money at its rate of the day, coins at their cost, spent ones at their
    /// value.
    package let withdrawals: Amount
    /// Money lost or stolen.
    package let moneyLost: Amount

    /// Reads a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The rows.
    ///   - policy: Which lots a disposal takes.
    ///   - base: The currency of every cost and gain.
    ///   - prices: For amounts in other currencies and coins.
    ///   - end: The last instant that counts; `nil` for all.
    /// - Throws: ``LedgerError`` when a chosen lot is not there.
    package init(
        _ ledger: Ledger, _ policy: LotPolicy = LotPolicy(), base: Asset = Asset(rawValue: "USD"),
        prices: PriceHistory = PriceHistory(), until end: Timestamp? = nil
    ) throws(LedgerError) {
        var book = LotAccounting(ledger, policy, base: base, prices: prices)
        try book.run(until: end)
        self.ledger = ledger
        self.base = base
        self.end = end
        longTerm = policy.longTerm
        disposals = book.disposals
        removals = book.removals
        pieces = book.pieces
        lots = book.openLots
        income = book.income
        fees = book.fees
        assumed = book.assumed
        missingPrices = book.missing
        stalePrices = book.stale
        balances = ledger.balances(book.balances)
        deposits = book.flows.deposits
        withdrawals = book.flows.withdrawals
        moneyLost = book.flows.lost
    }

    /// The rows that count, in order: those of its end or before.
    package var rows: ArraySlice<Transaction> { ledger.rows(until: end) }

    /// Gains less losses of all disposals, less money lost; `nil` when the gain of one is not known.
    package var realized: Amount? { disposals.contains { $0.gain == nil } ? nil : knownRealized }

    /// As ``realized``, of the disposals whose gain is known.
    package var knownRealized: Amount { disposals.reduce(-moneyLost) { $0 + ($1.gain ?? .zero) } }

    /// All income; `nil` when one of it has no known value.
    package var incomeTotal: Amount? { income.contains { $0.value == nil } ? nil : knownIncome }

    /// Income with a known value.
    package var knownIncome: Amount { income.reduce(.zero) { $0 + ($1.value ?? .zero) } }

    /// All fees; `nil` when one of them has no known worth.
    package var feeTotal: Amount? {
        fees.contains(where: \.isAssumed) ? nil : fees.reduce(.zero) { $0 + $1.value }
    }

    /// Fees that are costs of their own; others are part of costs and proceeds.
    package var expensedFees: Amount {
        fees.reduce(.zero) { $1.treatment == .expense ? $0 + $1.value : $0 }
    }

    /// What the open lots cost.
    package var costBasis: Amount { lots.reduce(.zero) { $0 + $1.costBasis } }

    /// What each piece of a disposal brought: its share by amount, the last takes the remainder.
    package func proceeds(of disposal: Disposal) -> [Amount]? {
        disposal.proceeds?.split(by: pieces[disposal.pieces].map(\.amount), places: LotAccounting.places)
    }
}
