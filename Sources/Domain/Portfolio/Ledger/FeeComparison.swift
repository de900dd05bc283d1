package import Instruments

extension Transaction {
    /// Whether a trade's fee is in neither of the two assets that are traded.
    package var hasThirdFee: Bool {
        guard kind.isExchange, let fee, let counter, fee.amount.isPositive else { return false }
        return fee.asset != subject.asset && fee.asset != counter.asset
    }

    /// What is odd about the fee of what was sent, in one sentence: it is more than what arrived.
    ///
    /// No reason to refuse the row: who sends 1 and gets 0.18 has paid 0.82. But it may be a slip as well.
    /// `nil` where nothing is odd.
    package var sentFeeRemark: String? {
        guard kind.isSent, let fee, fee.asset == subject.asset, fee.amount > subject.amount else {
            return nil
        }
        return "fee_amount is \(fee.amount) \(fee.asset), more than the \(subject.amount) that arrived"
    }

    /// Why a fee in a third money or coin cannot be right: it is worth more than what was traded.
    ///
    /// Both are compared by the prices of then. Where the fee, or both sides of the trade, have none, or one
    /// older than ``Valuation/staleAfter``, nothing can be said, and the row is taken. Moves and withdrawals
    /// are not compared: a network takes the same for a small amount as for a large one.
    ///
    /// - Parameters:
    ///   - base: The currency that both are reckoned in.
    ///   - prices: What was known when.
    /// - Returns: What is wrong; `nil` when nothing is, or nobody can say.
    package func feeExcess(in base: Asset, prices: PriceHistory) -> LedgerError.Reason? {
        guard hasThirdFee, let fee, let counter else { return nil }
        func worth(_ holding: Holding) -> Amount? {
            guard let point = prices.price(of: holding.asset, in: base, at: time),
                time.nanoseconds(since: point.time) <= Valuation.staleAfter
            else { return nil }
            return holding.amount * point.price
        }
        guard let paid = worth(fee), let traded = [counter, subject].compactMap(worth).max(),
            paid > traded
        else { return nil }
        return .feeOutweighs(fee: fee, worth: Holding(paid, base), amount: traded)
    }
}

extension Ledger {
    /// Trades whose fee in a third money or coin is worth more than what was traded, in order of time.
    ///
    /// Their ``LedgerError/index`` is a place in what the ledger was made of; see
    /// ``Transaction/feeExcess(in:prices:)``.
    package func excessiveFees(in base: Asset, prices: PriceHistory) -> [LedgerError] {
        transactions.indices.compactMap { place in
            transactions[place].feeExcess(in: base, prices: prices).map { reason in
                LedgerError(index: sources[place], time: transactions[place].time, reason: reason)
            }
        }
    }
}
