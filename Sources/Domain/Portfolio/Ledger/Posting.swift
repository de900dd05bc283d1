import Instruments

/// The accounts that a row touches; -1 where it has none.
struct EntryAccounts: Sendable {
    var subject: Int32
    /// Only exchanges move their counter amount.
    var counter: Int32 = -1
    var fee: Int32 = -1
    /// Where a transfer goes.
    var target: Int32 = -1
}

/// A row without its texts: what the reckoning of a million rows reads, with nothing to count references of.
struct Posting: Sendable {
    var time: Timestamp
    var kind: TransactionKind
    /// Whether the row names lots.
    var hasChoices: Bool
    var accounts: EntryAccounts
    /// The number of the counter amount's asset; -1 where there is none.
    var counterAsset: Int32
    var subject: Amount
    var counter: Amount
    var fee: Amount

    init(_ row: Transaction, _ accounts: EntryAccounts, counterAsset: Int32) {
        time = row.time
        kind = row.kind
        hasChoices = !row.lots.isEmpty
        self.accounts = accounts
        self.counterAsset = counterAsset
        subject = row.subject.amount
        counter = row.counter?.amount ?? .zero
        fee = row.fee?.amount ?? .zero
    }

    /// What the row changes: each account with what is added to it.
    @inline(__always)
    func move(_ change: (Int32, Amount) -> Void) {
        switch kind {
        case .buy:
            change(accounts.subject, subject)
            change(accounts.counter, -counter)
        case .sell, .swap:
            change(accounts.subject, -subject)
            change(accounts.counter, counter)
        case .transfer:
            change(accounts.subject, -subject)
            change(accounts.target, subject)
        case .withdrawal, .fee, .giftOut, .spend, .loss: change(accounts.subject, -subject)
        default: change(accounts.subject, subject)
        }
        if accounts.fee >= 0 { change(accounts.fee, -fee) }
    }

    /// The accounts that the row itself and its fee take from; -1 where they take from none.
    var outgoing: (Int32, Int32) {
        if kind == .buy { return (accounts.counter, accounts.fee) }
        return (kind.isReceipt ? -1 : accounts.subject, accounts.fee)
    }
}
