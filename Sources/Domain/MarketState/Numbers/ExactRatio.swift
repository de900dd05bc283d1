public import Instruments

/// A quotient of two integers, exact until somebody rounds it.
public struct ExactRatio: Hashable, Sendable {
    /// Above the line.
    public let numerator: Int256
    /// Below the line; above zero.
    public let denominator: Int256

    /// - Precondition: `denominator` is above zero.
    init(_ numerator: Int256, over denominator: Int256) {
        precondition(!denominator.isNegative && !denominator.isZero, "the denominator is above zero")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The value rounded half-even to a scale; `nil` when it does not fit 63 bits, or the numerator at that
    /// scale 256 bits.
    public func rounded(to scale: Scale) -> DecimalNumber? {
        let (scaled, overflow) = numerator.multipliedReportingOverflow(by: PowerOfTen.int128(scale.places))
        if overflow { return nil }
        let quotient = scaled.dividedRoundingHalfEven(by: denominator)
        guard let value = quotient.narrowed, let units = Int64(exactly: value) else { return nil }
        return DecimalNumber(units: units, scale: scale)
    }

    /// A ratio of units of `priceScale` as a price, rounded half-even to `scale`; `nil` as above.
    public func price(at priceScale: Scale, roundedTo scale: Scale) -> DecimalNumber? {
        let factor = PowerOfTen.int128(priceScale.places)
        let (below, overflow) = denominator.multipliedReportingOverflow(by: factor)
        if overflow { return nil }
        return ExactRatio(numerator, over: below).rounded(to: scale)
    }
}
