extension Int256 {
    /// The quotient towards zero and the remainder with the sign of the dividend.
    ///
    /// - Precondition: `divisor` is not zero.
    func quotientAndRemainder(dividingBy divisor: Int256) -> (quotient: Int256, remainder: Int256) {
        precondition(!divisor.isZero, "no division by zero")
        let parts = Int256.divide(magnitude, by: divisor.magnitude)
        let quotient = Int256(high: Int128(truncatingIfNeeded: parts.quotient.high), low: parts.quotient.low)
        let rest = Int256(high: Int128(truncatingIfNeeded: parts.rest.high), low: parts.rest.low)
        return (
            isNegative != divisor.isNegative ? quotient.negatedReportingOverflow().partialValue : quotient,
            isNegative ? rest.negatedReportingOverflow().partialValue : rest
        )
    }

    /// The quotient rounded to the nearest integer, a half to the even one.
    ///
    /// - Precondition: `divisor` is not zero.
    func dividedRoundingHalfEven(by divisor: Int256) -> Int256 {
        var (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        let rest = remainder.magnitude
        let whole = divisor.magnitude
        // rest > whole - rest instead of 2 × rest > whole, which could leave the range.
        let opposite = Int256.subtract(rest, from: whole)
        let isOdd = quotient.low & 1 == 1
        guard opposite < rest || (opposite == rest && isOdd) else { return quotient }
        quotient += Int256(Int128(isNegative != divisor.isNegative ? -1 : 1))
        return quotient
    }

    private typealias Halves = (high: UInt128, low: UInt128)

    private static func subtract(_ right: Halves, from left: Halves) -> Halves {
        let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
        return (left.high &- right.high &- (borrow ? 1 : 0), low)
    }

    private static func divide(_ value: Halves, by divisor: Halves) -> (quotient: Halves, rest: Halves) {
        if divisor.high == 0 {
            let upper = value.high.quotientAndRemainder(dividingBy: divisor.low)
            if upper.remainder == 0 {
                let lower = value.low.quotientAndRemainder(dividingBy: divisor.low)
                return ((upper.quotient, lower.quotient), (0, lower.remainder))
            }
            let lower = divisor.low.dividingFullWidth((upper.remainder, value.low))
            return ((upper.quotient, lower.quotient), (0, lower.remainder))
        }
        // The quotient is below 2^128: one bit at a time, as on paper.
        var rest: Halves = (0, value.high)
        var quotient: UInt128 = 0
        for bit in stride(from: 127, through: 0, by: -1) {
            rest = (rest.high << 1 | rest.low >> 127, rest.low << 1 | (value.low >> UInt128(bit)) & 1)
            if rest >= divisor {
                rest = subtract(divisor, from: rest)
                quotient |= 1 << UInt128(bit)
            }
        }
        return ((0, quotient), rest)
    }
}
