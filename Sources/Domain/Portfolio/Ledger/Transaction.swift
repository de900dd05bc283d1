public import Instruments

/// A lot that a disposal names, for the method of specific lots.
public struct LotChoice: Hashable, Sendable {
    /// The external id of the transaction that acquired the lot.
    public var acquiredBy: String
    /// How much of it.
    public var amount: Amount

    /// Names a lot and how much of it.
    public init(acquiredBy: String, amount: Amount) {
        self.acquiredBy = acquiredBy
        self.amount = amount
    }
}

/// An amount of an asset.
public struct Holding: Hashable, Sendable {
    /// Of what.
    public var asset: Asset
    /// How much.
    public var amount: Amount

    /// Joins the two.
    public init(_ amount: Amount, _ asset: Asset) {
        self.asset = asset
        self.amount = amount
    }
}

/// One row of a ledger.
public struct Transaction: Hashable, Sendable {
    /// When it happened.
    public var time: Timestamp
    /// What it does.
    public var kind: TransactionKind
    /// Where the asset is; never empty.
    public var wallet: String
    /// Where a transfer goes; `nil` for every other kind.
    public var toWallet: String?
    /// What the row is about: bought, sold, given, received; never negative.
    public var subject: Holding
    /// What was given or got for it; for receipts its fair value or basis.
    public var counter: Holding?
    /// The cost of it, on top of both amounts.
    public var fee: Holding?
    /// The source's own name for it, unique in a ledger; empty when it has none.
    public var externalID: String
    /// Anything.
    public var note: String
    /// Words to find it by.
    public var tags: [String]
    /// Where its prices are from; empty when the source gave the amounts.
    public var priceSource: String
    /// The lots that a disposal takes, where its owner chose them.
    public var lots: [LotChoice]

    /// Describes a row.
    public init(
        time: Timestamp, kind: TransactionKind, wallet: String, toWallet: String? = nil, subject: Holding,
        counter: Holding? = nil, fee: Holding? = nil, externalID: String = "", note: String = "",
        tags: [String] = [], priceSource: String = "", lots: [LotChoice] = []
    ) {
        self.time = time
        self.kind = kind
        self.wallet = wallet
        self.toWallet = toWallet
        self.subject = subject
        self.counter = counter
        self.fee = fee
        self.externalID = externalID
        self.note = note
        self.tags = tags
        self.priceSource = priceSource
        self.lots = lots
    }

    /// What the wallet gives for an exchange; `nil` for other kinds.
    var given: Holding? {
        switch kind {
        case .buy: counter
        case .sell, .swap: subject
        default: nil
        }
    }

    /// What the wallet gets from an exchange; `nil` for other kinds.
    var gotten: Holding? {
        switch kind {
        case .buy: subject
        case .sell, .swap: counter
        default: nil
        }
    }
}
