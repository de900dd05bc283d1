package import Instruments
package import JSON
package import Portfolio

extension JSONWriter {
    /// Writes a member that is an amount, or null.
    package mutating func amount(_ name: String, _ amount: Amount?) { pair(name, amount?.description) }

    /// Writes `asset` and `amount`.
    package mutating func holding(_ holding: Holding) {
        text("asset", holding.asset.rawValue)
        amount("amount", holding.amount)
    }

    /// Writes a member that is a ratio, or null.
    package mutating func ratio(_ name: String, _ ratio: Double?) { amount(name, Amount(ratio: ratio)) }
}

extension Amount {
    /// A ratio of statistics as it is written: seventeen digits at most, as many as a binary fraction has,
    /// and without an exponent, since "1e-07" is a number to few readers; `nil` for one that is not finite.
    package init?(ratio: Double?) {
        guard let ratio, ratio.isFinite, let amount = try? Amount(parsing: "\(ratio)") else { return nil }
        self = amount
    }
}
