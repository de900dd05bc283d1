package import Instruments

/// Why a lot's cost is not what its owner stated.
package enum AssumedBasis: String, Sendable, Hashable {
    /// The price known at that time stands for it.
    case price
    /// Nothing is known: the cost is zero.
    case zero
    /// A swap without a known value: the cost of what was given.
    case carried
    /// The worth of the fee that is part of it is not known: money counts as nothing, a coin as it cost.
    case fee
}

/// A quantity of one asset that was acquired at one time for one price.
struct Lot {
    /// What is left.
    var amount: Amount
    /// The cost of what is left, fees included; under average cost the pool knows better.
    var basis: Amount
    /// What one unit was bought for, fees left out; orders HIFO and LOFO.
    var price: UnitPrice
    /// When it was acquired; a transfer does not change it.
    var acquired: Timestamp
    /// The row that acquired it.
    var entry: Int32
    /// Where it is; under universal scope, where it was acquired.
    var account: Int32
    var assumed: AssumedBasis?
}

/// What was taken from a lot.
package struct LotPiece: Sendable {
    /// When the lot was acquired.
    package let acquired: Timestamp
    package let amount: Amount
    package let costBasis: Amount
    /// The row that acquired it: a place in the ledger's ``Ledger/transactions``.
    package let acquiredBy: Int
    /// Why the cost is not what the owner stated; `nil` where it is.
    package let assumed: AssumedBasis?

    /// Whether it was held long at that time.
    package func isLong(at time: Timestamp, by term: LongTerm = .standard) -> Bool {
        term.isReached(from: acquired, to: time)
    }
}
