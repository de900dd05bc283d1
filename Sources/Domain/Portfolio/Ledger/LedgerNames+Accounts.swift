import Instruments

extension LedgerNames {
    /// A row without its texts; accounts that it names for the first time are given numbers.
    mutating func posting(of transaction: Transaction) -> Posting {
        let wallet = self.wallet(transaction.wallet)
        let asset = self.asset(transaction.subject.asset)
        var accounts = EntryAccounts(subject: account(wallet, asset))
        let counterAsset = transaction.counter.map { self.asset($0.asset) } ?? -1
        // For other kinds the counter amount is a value, not a movement.
        if transaction.kind.isExchange { accounts.counter = account(wallet, counterAsset) }
        if let fee = transaction.fee { accounts.fee = account(wallet, self.asset(fee.asset)) }
        if let target = transaction.toWallet { accounts.target = account(self.wallet(target), asset) }
        return Posting(transaction, accounts, counterAsset: counterAsset)
    }

    /// The number of the account that a balance is of.
    mutating func account(of balance: Balance) -> Int32 {
        account(wallet(balance.wallet), asset(balance.holding.asset))
    }

    /// Amounts of all accounts by name; what is zero is left out.
    func balances(_ amounts: [Amount]) -> [Balance] {
        amounts.indices.filter { !amounts[$0].isZero }
            .map { account in
                Balance(
                    wallet: walletName(ofAccount: Int32(account)),
                    holding: Holding(amounts[account], self.asset(ofAccount: Int32(account))))
            }
            .sorted {
                $0.wallet != $1.wallet
                    ? $0.wallet < $1.wallet : $0.holding.asset.rawValue < $1.holding.asset.rawValue
            }
    }
}
