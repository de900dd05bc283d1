public import Instruments
public import JSON
public import Portfolio

extension JSONWriter {
    /// Writes a member that is an amount, or null.
    public mutating func amount(_ name: String, _ amount: Amount?) { pair(name, amount?.description) }

    /// Writes `asset` and `amount`.
    public mutating func holding(_ holding: Holding) {
        text("asset", holding.asset.rawValue)
        amount("amount", holding.amount)
    }

    /// Writes a member that is a ratio, or null; seventeen digits at most, as many as a binary fraction has.
    public mutating func ratio(_ name: String, _ ratio: Double?) {
        key(name)
        guard let ratio, ratio.isFinite else { return null() }
        // Without an exponent, as everywhere: "1e-07" is a number to few readers.
        string((try? Amount(parsing: "\(ratio)"))?.description)
    }
}
