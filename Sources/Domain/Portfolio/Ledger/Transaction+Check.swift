import Instruments

extension Transaction {
    /// Whether the row says all that its kind needs, and nothing that it cannot use.
    ///
    /// - Throws: ``LedgerError`` with the row's place.
    package func check(_ index: Int) throws(LedgerError) {
        func fail(_ reason: LedgerError.Reason) -> LedgerError {
            LedgerError(index: index, time: time, reason: reason)
        }
        if wallet.isEmpty { throw fail(.missing(field: "wallet")) }
        if subject.asset.rawValue.isEmpty { throw fail(.missing(field: "asset")) }
        guard subject.amount.isPositive else {
            throw fail(.notPositive(field: "amount", subject.amount))
        }
        if let counter { try checkCounter(counter, fail) }
        if kind.isExchange, counter == nil { throw fail(.missing(field: "counter_amount")) }
        if kind == .transfer {
            guard let toWallet, !toWallet.isEmpty else { throw fail(.missing(field: "to_wallet")) }
            if toWallet == wallet { throw fail(.sameWallet) }
        } else if toWallet != nil {
            throw fail(.unexpected(field: "to_wallet"))
        }
        if let fee { try checkFee(fee, fail) }
        for choice in lots where !choice.amount.isPositive {
            throw fail(.notPositive(field: "lots", choice.amount))
        }
    }

    private func checkCounter(_ counter: Holding, _ fail: (LedgerError.Reason) -> LedgerError)
        throws(LedgerError)
    {
        if counter.asset.rawValue.isEmpty { throw fail(.missing(field: "counter_asset")) }
        // Worth nothing is a fact for what was received, spent or lost; a free exchange is a slip.
        if counter.amount.isNegative || (counter.amount.isZero && kind.isExchange) {
            throw fail(.notPositive(field: "counter_amount", counter.amount))
        }
        if counter.asset == subject.asset, kind.isExchange { throw fail(.sameAsset) }
    }

    private func checkFee(_ fee: Holding, _ fail: (LedgerError.Reason) -> LedgerError) throws(LedgerError) {
        if fee.asset.rawValue.isEmpty { throw fail(.missing(field: "fee_asset")) }
        if fee.amount.isNegative { throw fail(.notPositive(field: "fee_amount", fee.amount)) }
        // A network takes the same for dust as for a fortune: such a row is taken, and remarked on.
        if !kind.isSent, fee.asset == subject.asset, fee.amount > subject.amount {
            throw fail(.feeExceeds(fee: fee, amount: subject.amount))
        }
        if let counter, kind.isExchange, fee.asset == counter.asset, fee.amount > counter.amount {
            throw fail(.feeExceeds(fee: fee, amount: counter.amount))
        }
    }
}
