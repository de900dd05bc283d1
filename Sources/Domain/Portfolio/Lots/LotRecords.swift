public import Instruments

/// Where coins left, and what they cost.
public struct Disposal: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    public let entry: Int
    /// The row's kind; `fee` for the part that paid a fee.
    public let kind: TransactionKind
    /// When.
    public let time: Timestamp
    /// From where.
    public let wallet: String
    /// What and how much.
    public let subject: Holding
    /// What it brought, less fees, in the base currency; `nil` when no price is known.
    public let proceeds: Amount?
    /// What it cost.
    public let costBasis: Amount
    /// The pieces of lots, by their place in ``LotReport/pieces``.
    public let pieces: Range<Int>

    /// Proceeds less cost; `nil` when no price is known.
    public var gain: Amount? { proceeds.map { $0 - costBasis } }
}

/// Coins that left without a gain: withdrawn, or given away.
public struct Removal: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    public let entry: Int
    /// What they cost.
    public let costBasis: Amount
    /// The pieces of lots, by their place in ``LotReport/pieces``.
    public let pieces: Range<Int>
}

/// What came in as income.
public struct IncomeEntry: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    public let entry: Int
    /// Its value in the base currency; `nil` when no price is known.
    public let value: Amount?
}

/// What a fee became.
public enum FeeTreatment: String, Sendable {
    /// Part of the cost of what was bought.
    case basis
    /// Taken off what a sale brought.
    case proceeds
    /// A cost of its own.
    case expense
}

/// A fee that was paid.
public struct FeeEntry: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    public let entry: Int
    /// What was paid.
    public let paid: Holding
    /// Its value in the base currency; where no price is known, what the coins had cost.
    public let value: Amount
    /// Whether no price was known.
    public let isAssumed: Bool
    /// What it became.
    public let treatment: FeeTreatment
}

/// A price that was needed and is not known.
public struct MissingPrice: Sendable, Hashable {
    /// Of which asset.
    public let asset: Asset
    /// At what time.
    public let time: Timestamp
}

/// A price that was used for a value and was old by then.
public struct StalePrice: Sendable, Hashable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    public let entry: Int
    /// Of which asset.
    public let asset: Asset
    /// When it was noted: more than ``Valuation/staleAfter`` before the row.
    public let priced: Timestamp
}

/// A lot, or a part of one, that is still there.
public struct OpenLot: Sendable {
    /// Where; under universal scope lots belong to no wallet, and are told where the coins are: the newest
    /// where they were acquired, the oldest where coins were moved to.
    public let wallet: String
    /// What is left of it.
    public let holding: Holding
    /// What it cost.
    public let costBasis: Amount
    /// When it was acquired.
    public let acquired: Timestamp
    /// The row that acquired it: a place in the ledger's ``Ledger/transactions``.
    public let acquiredBy: Int
    /// Why the cost is not what the owner stated; `nil` where it is.
    public let assumed: AssumedBasis?
}

/// A cost that was assumed: when, of what, and why.
public struct AssumedEntry: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    public let entry: Int
    /// What was acquired.
    public let subject: Holding
    /// The cost that was assumed.
    public let costBasis: Amount
    /// Where it comes from.
    public let reason: AssumedBasis
}
