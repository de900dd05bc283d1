import Instruments

/// Where an exact level lies between the integers of a scale.
///
/// For integer values, `v >= level` is `v >= ceiling` and `v <= level` is `v <= floor`, so a level finer than
/// the scale compares exactly. A level beyond Int64 stops at its ends, which no value passes.
struct Threshold: Hashable, Sendable {
    /// The smallest integer at or above the level.
    let ceiling: Int64
    /// The greatest integer at or below it.
    let floor: Int64

    init(_ level: DecimalNumber, at scale: Scale) {
        if level.scale <= scale {
            let factor = scale.power / level.scale.power
            let (product, overflow) = level.units.multipliedReportingOverflow(by: factor)
            ceiling = overflow ? (level.units > 0 ? .max : .min) : product
            floor = ceiling
        } else {
            let divisor = level.scale.power / scale.power
            let (quotient, remainder) = level.units.quotientAndRemainder(dividingBy: divisor)
            floor = remainder < 0 ? quotient - 1 : quotient
            ceiling = remainder > 0 ? quotient + 1 : quotient
        }
    }
}

extension DecimalNumber {
    /// The sum, exact; stops at the ends of what a decimal holds.
    func plus(_ other: DecimalNumber) -> DecimalNumber {
        let scale = max(scale, other.scale)
        let left = Int128(units) * Int128(scale.power / self.scale.power)
        let right = Int128(other.units) * Int128(scale.power / other.scale.power)
        let sum = left + right
        if let units = Int64(exactly: sum) { return DecimalNumber(units: units, scale: scale) }
        return DecimalNumber(units: sum > 0 ? .max : .min, scale: scale)
    }

    /// The same with the other sign.
    var negated: DecimalNumber { DecimalNumber(units: 0 &- units, scale: scale) }
}
