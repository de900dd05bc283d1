package import Instruments

/// Why transactions make no ledger: the row and what it breaks.
package struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a row can break.
    package enum Reason: Hashable, Sendable {
        /// A field that the kind needs is missing.
        case missing(field: String)
        /// A field stands where the kind has no use for it.
        case unexpected(field: String)
        /// An amount is below zero, or zero where something must move.
        case notPositive(field: String, Amount)
        /// A fee of the same asset is larger than what it is a fee for; never of what was sent.
        case feeExceeds(fee: Holding, amount: Amount)
        /// A fee of a third asset is worth more than what was traded, both in one currency.
        case feeOutweighs(fee: Holding, worth: Holding, amount: Amount)
        /// A transfer ends where it began.
        case sameWallet
        /// Both sides of an exchange are the same asset.
        case sameAsset
        /// Another row has the same external id and says something else.
        case conflictingID(other: Int)
        /// More leaves than is there.
        case shortfall(wallet: String, asset: Asset, available: Amount, wanted: Amount)
        /// A chosen lot is not there, or not enough of it.
        case lotUnavailable(LotChoice)
        /// Whoever asked does not want it any more.
        case stopped
    }

    /// The row's place in the input, from 0.
    package var index: Int
    package var time: Timestamp
    /// What is wrong.
    package var reason: Reason

    package init(index: Int, time: Timestamp, reason: Reason) {
        self.index = index
        self.time = time
        self.reason = reason
    }

    /// One line for a person, without the row's place, which a file's reader knows better.
    package var description: String {
        switch reason {
        case .missing(let field): return "\(field) is missing"
        case .unexpected(let field): return "\(field) must be empty for this kind"
        case .notPositive(let field, let amount):
            return "\(field) is \(amount); it must be above zero"
        case .feeExceeds(let fee, let amount):
            return "fee_amount is \(fee.amount) \(fee.asset), more than the \(amount) that it is a fee for"
        case .feeOutweighs(let fee, let worth, let amount):
            return "fee_amount is \(fee.amount) \(fee.asset), worth \(worth.amount) \(worth.asset) then, "
                + "more than the \(amount) that was traded"
        case .sameWallet: return "to_wallet is the wallet that the transfer starts from"
        case .sameAsset: return "counter_asset is the asset itself"
        case .conflictingID(let other):
            return other < 0
                ? "external_id is that of a transaction that is there already, with other content"
                : "external_id stands on row \(other + 1) as well, with other content"
        case .shortfall(let wallet, let asset, let available, let wanted):
            return "wallet \"\(wallet)\" is short of \(wanted - available) \(asset) at \(time.plain): "
                + "it holds \(available) and \(wanted) leaves"
        case .lotUnavailable(let choice):
            return "the lot acquired by \"\(choice.acquiredBy)\" has not \(choice.amount) left"
        case .stopped: return "the check was stopped here"
        }
    }
}

/// What is odd in a ledger and does not stop it.
package struct LedgerWarning: Hashable, Sendable, CustomStringConvertible {
    /// The row's place in the input, from 0.
    package var index: Int
    package var time: Timestamp
    /// The wallet whose currency went below zero at that time.
    package var wallet: String
    /// The currency, and how far below zero it is.
    package var balance: Holding

    /// One line for a person.
    package var description: String {
        "wallet \"\(wallet)\" goes to \(balance.amount) \(balance.asset) at \(time.plain)"
    }
}
