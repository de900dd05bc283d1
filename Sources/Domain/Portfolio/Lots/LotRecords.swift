package import Instruments

/// Where coins left, and what they cost.
package struct Disposal: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    package let entry: Int
    /// The row's kind; `fee` for the part that paid a fee.
    package let kind: TransactionKind
    package let time: Timestamp
    /// From where.
    package let wallet: String
    package let subject: Holding
    /// What it brought, less fees, in the base currency; `nil` when no price is known.
    package let proceeds: Amount?
    package let costBasis: Amount
    /// The pieces of lots, by their place in ``LotReport/pieces``.
    package let pieces: Range<Int>

    /// Proceeds less cost; `nil` when no price is known.
    package var gain: Amount? { proceeds.map { $0 - costBasis } }
}

/// Coins that left without a gain: withdrawn, or given away.
package struct Removal: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    package let entry: Int
    package let costBasis: Amount
    /// The pieces of lots, by their place in ``LotReport/pieces``.
    package let pieces: Range<Int>
}

/// What came in as income.
package struct IncomeEntry: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    package let entry: Int
    /// Its value in the base currency; `nil` when no price is known.
    package let value: Amount?
}

/// What a fee became.
package enum FeeTreatment: String, Sendable {
    /// Part of the cost of what was bought.
    case basis
    /// Taken off what a sale brought.
    case proceeds
    /// A cost of its own.
    case expense
}

/// A fee that was paid.
package struct FeeEntry: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    package let entry: Int
    package let paid: Holding
    /// Its value in the base currency; where no price is known, what the coins had cost.
    package let value: Amount
    /// Whether no price was known.
    package let isAssumed: Bool
    /// What it became.
    package let treatment: FeeTreatment
}

/// A price that was needed and is not known.
package struct MissingPrice: Sendable, Hashable {
    package let asset: Asset
    package let time: Timestamp
}

/// A price that was used for a value and was old by then.
package struct StalePrice: Sendable, Hashable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    package let entry: Int
    package let asset: Asset
    /// When it was noted: more than ``Valuation/staleAfter`` before the row.
    package let priced: Timestamp
}

/// A lot, or a part of one, that is still there.
package struct OpenLot: Sendable {
    /// Where; under universal scope lots belong to no wallet, and are told where the coins are: the newest
    /// where they were acquired, the oldest where coins were moved to.
    package let wallet: String
    /// What is left of it.
    package let holding: Holding
    package let costBasis: Amount
    package let acquired: Timestamp
    /// The row that acquired it: a place in the ledger's ``Ledger/transactions``.
    package let acquiredBy: Int
    /// Why the cost is not what the owner stated; `nil` where it is.
    package let assumed: AssumedBasis?
}

/// A cost that was assumed: when, of what, and why.
package struct AssumedEntry: Sendable {
    /// The row: a place in the ledger's ``Ledger/transactions``.
    package let entry: Int
    /// What was acquired.
    package let subject: Holding
    package let costBasis: Amount
    /// Where it comes from.
    package let reason: AssumedBasis
}
