package import Instruments

extension Amount {
    /// The same number.
    package init(_ number: WideDecimal) {
        let (high, low) = number.units.magnitude
        let limbs = [low, low >> 64, high, high >> 64].map { UInt64(truncatingIfNeeded: $0) }
        self.init(isNegative: number.units.isNegative, limbs: limbs, places: number.places)
    }
}
