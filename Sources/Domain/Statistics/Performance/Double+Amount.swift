public import Instruments

extension Double {
    /// The nearest number, for ratios and statistics only; never the way back into money.
    public init(_ amount: Amount) {
        // The standard library's parser rounds correctly, whatever the number of digits.
        self = Double(amount.description) ?? .nan
    }
}
