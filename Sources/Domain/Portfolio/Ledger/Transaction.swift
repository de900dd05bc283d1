package import Instruments

/// A lot that a disposal names, for the method of specific lots.
package struct LotChoice: Hashable, Sendable {
    /// The external id of the transaction that acquired the lot.
    package var acquiredBy: String
    package var amount: Amount

    /// Names a lot and how much of it.
    package init(acquiredBy: String, amount: Amount) {
        self.acquiredBy = acquiredBy
        self.amount = amount
    }
}

/// An amount of an asset.
package struct Holding: Hashable, Sendable {
    package var asset: Asset
    package var amount: Amount

    package init(_ amount: Amount, _ asset: Asset) {
        self.asset = asset
        self.amount = amount
    }
}

/// One row of a ledger.
package struct Transaction: Hashable, Sendable {
    package var time: Timestamp
    package var kind: TransactionKind
    /// Where the asset is; never empty.
    package var wallet: String
    /// Where a transfer goes; `nil` for every other kind.
    package var toWallet: String?
    /// What the row is about: bought, sold, given, received; never negative.
    package var subject: Holding
    /// What was given or got for it; for receipts its fair value or basis.
    package var counter: Holding?
    /// The cost of it, on top of both amounts.
    package var fee: Holding?
    /// The source's own name for it, unique in a ledger; empty when it has none.
    package var externalID: String
    /// What its owner wrote about it.
    package var note: String
    /// Words to find it by.
    package var tags: [String]
    /// Where its prices are from; empty when the source gave the amounts.
    package var priceSource: String
    /// The lots that a disposal takes, where its owner chose them.
    package var lots: [LotChoice]

    package init(
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

    /// When it begins to count, where that is to come: until then it is written down and moves nothing.
    package func waitsUntil(at now: Timestamp) -> Timestamp? { time > now ? time : nil }

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
