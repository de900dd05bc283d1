public import Instruments

/// What one unit of size of an instrument is worth.
///
/// - Linear (spot included): value = price × size × multiplier, in the quote asset.
/// - Inverse: a contract is a fixed amount of the quote asset, so value = size × multiplier whatever the
///   price.
public struct ContractTerms: Hashable, Sendable {
    /// Whether a contract is a fixed amount of the quote asset.
    public let isInverse: Bool
    /// Units of the underlying, or for an inverse contract of the quote asset, in one unit of size.
    ///
    /// 0 or less when it is not known, as of contracts that are settled in another coin.
    public let multiplier: DecimalNumber

    /// Joins the two; without a multiplier one unit of size is one.
    public init(isInverse: Bool = false, multiplier: DecimalNumber? = nil) {
        self.isInverse = isInverse
        self.multiplier = multiplier ?? DecimalNumber(units: 1, scale: .zero)
    }

    public init(_ instrument: Instrument) {
        self.init(isInverse: instrument.isInverse, multiplier: instrument.contractMultiplier)
    }

    /// Spot, and every contract of one unit.
    public static let spot = ContractTerms()

    /// The value in the quote asset of `notional` (Σ price × size, in units of both scales) and `size` (Σ
    /// size); `nil` when the multiplier is not known or the value needs more than 256 bits.
    public func value(notional: Int256, size: Int128, priceScale: Scale, sizeScale: Scale) -> WideDecimal? {
        guard multiplier.units > 0 else { return nil }
        let sum = isInverse ? Int256(size) : notional
        let places = (isInverse ? 0 : priceScale.places) + sizeScale.places + multiplier.scale.places
        let (product, overflow) = sum.multipliedReportingOverflow(by: Int128(multiplier.units))
        return overflow ? nil : WideDecimal(units: product, places: places)
    }
}
