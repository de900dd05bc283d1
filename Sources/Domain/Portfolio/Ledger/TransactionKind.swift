/// What a transaction does; the raw values are those of the ledger's files.
package enum TransactionKind: String, Sendable, CaseIterable, Hashable {
    /// The asset is bought for the counter amount.
    case buy
    /// The asset is sold for the counter amount.
    case sell
    /// The asset is given for the counter asset: a disposal, and an acquisition at fair value.
    case swap
    /// Something comes in from outside.
    case deposit
    /// Something leaves; no gain is realized.
    case withdrawal
    /// Something moves to another wallet of the same ledger; the fee, if any, is taken on top.
    case transfer
    /// A cost by itself; paid in a coin it is a disposal.
    case fee
    /// Income for staking.
    case staking
    /// Income for lending.
    case lending
    /// Income for mining.
    case mining
    /// Income by airdrop.
    case airdrop
    /// Income by a fork of a chain.
    case fork
    /// Any other income.
    case income
    /// A gift received: the counter amount is its basis, nothing is income.
    case giftIn = "gift_in"
    /// A gift made: lots leave at their basis, no gain is realized.
    case giftOut = "gift_out"
    /// A coin paid for a good: a disposal at fair value.
    case spend
    /// Lost or stolen: a disposal for nothing.
    case loss
    /// Income from a share of something.
    case dividend
    /// Income from a loan or an account.
    case interest
    /// What was there before the ledger begins: the counter amount is its basis.
    case opening

    /// Whether what comes in is income at its fair value.
    package var isIncome: Bool {
        switch self {
        case .staking, .lending, .mining, .airdrop, .fork, .income, .dividend, .interest: true
        default: false
        }
    }

    /// Whether the asset comes in without anything given for it in the same row.
    package var isReceipt: Bool {
        isIncome || self == .deposit || self == .giftIn || self == .opening
    }

    /// Whether the same coins arrive elsewhere, and what a network took for it is on top.
    var isSent: Bool { self == .transfer || self == .withdrawal }

    /// Whether the row exchanges the asset for the counter asset.
    package var isExchange: Bool { self == .buy || self == .sell || self == .swap }

    /// Where it stands among rows of the same instant: receipts and purchases first, as what is sold at an
    /// instant may have been acquired at it; what only leaves comes last.
    var phase: Int {
        switch self {
        case .swap, .transfer: 1
        case .sell, .withdrawal, .fee, .giftOut, .spend, .loss: 2
        default: 0
        }
    }
}
