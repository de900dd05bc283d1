extension Amount {
    /// The same amount with the other sign.
    public static prefix func - (amount: Amount) -> Amount {
        guard amount.limbs != nil else {
            // -2^127 is never kept in place, so the negation always fits.
            return Amount(small: -amount.small, places: amount.places)
        }
        return Amount(isNegative: !amount.isNegative, amount.unsigned, places: amount.places)
    }

    /// The exact sum.
    public static func + (left: Amount, right: Amount) -> Amount {
        let places = max(left.places, right.places)
        if left.limbs == nil, right.limbs == nil, let a = scaled(left.small, by: places - left.places),
            let b = scaled(right.small, by: places - right.places)
        {
            let (sum, overflow) = a.addingReportingOverflow(b)
            if !overflow, sum != .min { return Amount(small: sum, places: places) }
        }
        return wideSum(left, right, places)
    }

    /// The exact difference.
    public static func - (left: Amount, right: Amount) -> Amount { left + -right }

    public static func += (left: inout Amount, right: Amount) { left = left + right }

    public static func -= (left: inout Amount, right: Amount) { left = left + -right }

    private static func wideSum(_ left: Amount, _ right: Amount, _ places: Int) -> Amount {
        let a = left.unsigned * .power(places - left.places)
        let b = right.unsigned * .power(places - right.places)
        if left.isNegative == right.isNegative {
            return Amount(isNegative: left.isNegative, a + b, places: places)
        }
        if a < b { return Amount(isNegative: right.isNegative, b - a, places: places) }
        return Amount(isNegative: left.isNegative && a != b, a - b, places: places)
    }

    /// The exact product.
    public static func * (left: Amount, right: Amount) -> Amount {
        let places = left.places + right.places
        if left.limbs == nil, right.limbs == nil {
            let (product, overflow) = left.small.multipliedReportingOverflow(by: right.small)
            if !overflow, product != .min {
                let result = Amount(small: product, places: places)
                // Products of products would grow without end in zeros.
                return places > 24 ? result.stripped : result
            }
        }
        let isNegative = left.isNegative != right.isNegative
        return Amount(isNegative: isNegative, left.unsigned * right.unsigned, places: places).stripped
    }

    /// The quotient at so many places, rounded half-even; `nil` when the divisor is zero.
    public func divided(by divisor: Amount, places: Int) -> Amount? {
        Amount.quotient(self, .one, by: divisor, places: places)
    }

    /// This amount × part / whole at so many places, rounded half-even; `nil` when `whole` is zero.
    ///
    /// Nothing is rounded before the division.
    public func portion(_ part: Amount, of whole: Amount, places: Int) -> Amount? {
        Amount.quotient(self, part, by: whole, places: places)
    }

    /// The same value with at most so many places, rounded half-even.
    public func rounded(places: Int) -> Amount {
        guard self.places > places else { return self }
        return Amount.quotient(self, .one, by: .one, places: places) ?? self
    }

    private static func quotient(_ first: Amount, _ second: Amount, by divisor: Amount, places: Int)
        -> Amount?
    {
        precondition(places >= 0, "decimal places are never negative")
        guard !divisor.isZero else { return nil }
        let exponent = places + divisor.places - first.places - second.places
        if first.limbs == nil, second.limbs == nil, divisor.limbs == nil,
            let small = smallQuotient(first.small, second.small, divisor.small, exponent)
        {
            return Amount(small: small, places: places)
        }
        var upper = first.unsigned * second.unsigned
        var lower = divisor.unsigned
        if exponent > 0 { upper = upper * .power(exponent) } else { lower = lower * .power(-exponent) }
        var (quotient, remainder) = upper.divided(by: lower)
        let twice = remainder + remainder
        if lower < twice || (twice == lower && quotient.isOdd) { quotient = quotient + Magnitude(1) }
        let isNegative = (first.isNegative != second.isNegative) != divisor.isNegative
        return Amount(isNegative: isNegative && !quotient.isZero, quotient, places: places)
    }

    /// first × second × 10^exponent / divisor, half-even; `nil` when a step needs more than 127 bits.
    private static func smallQuotient(
        _ first: Int128, _ second: Int128, _ divisor: Int128, _ exponent: Int
    ) -> Int128? {
        let (product, overflow) = first.multipliedReportingOverflow(by: second)
        guard !overflow, let upper = scaled(product, by: max(exponent, 0)),
            let lower = scaled(divisor, by: max(-exponent, 0)), upper != .min
        else { return nil }
        let (quotient, remainder) = upper.quotientAndRemainder(dividingBy: lower)
        if remainder == 0 { return quotient }
        let rest = remainder.magnitude
        let half = lower.magnitude - rest
        guard rest > half || (rest == half && quotient & 1 == 1) else { return quotient }
        return (upper < 0) == (lower < 0) ? quotient + 1 : quotient - 1
    }

    /// Splits by weights: each part is rounded half-even at so many places, and the last takes what remains,
    /// so that the parts always sum to the whole.
    ///
    /// Returns nothing for no weights; weights that sum to zero give everything to the last part.
    public func split(by weights: [Amount], places: Int) -> [Amount] {
        guard !weights.isEmpty else { return [] }
        let total = weights.reduce(.zero, +)
        var rest = self
        var parts: [Amount] = []
        parts.reserveCapacity(weights.count)
        for weight in weights.dropLast() {
            let part = portion(weight, of: total, places: places) ?? .zero
            parts.append(part)
            rest -= part
        }
        parts.append(rest)
        return parts
    }
}
