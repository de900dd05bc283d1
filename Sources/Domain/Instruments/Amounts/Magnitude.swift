/// A natural number of any size: limbs of 64 bits, lowest first, the highest never zero.
///
/// Written for ledgers, where numbers past 128 bits are rare and a few limbs long: schoolbook algorithms.
struct Magnitude: Equatable {
    /// Empty for zero.
    var limbs: [UInt64]

    /// Takes limbs and drops zeros at the top.
    init(limbs: [UInt64]) {
        self.limbs = limbs
        while self.limbs.last == 0 { self.limbs.removeLast() }
    }

    init(_ value: UInt128) {
        self.init(limbs: [UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64)])
    }

    var isZero: Bool { limbs.isEmpty }
    var isOdd: Bool { limbs.first.map { $0 & 1 == 1 } ?? false }

    /// The number in 128 bits; `nil` when it is larger.
    var small: UInt128? {
        switch limbs.count {
        case 0: 0
        case 1: UInt128(limbs[0])
        case 2: UInt128(limbs[1]) << 64 | UInt128(limbs[0])
        default: nil
        }
    }

    static func < (left: Magnitude, right: Magnitude) -> Bool {
        if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count }
        for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
            return left.limbs[index] < right.limbs[index]
        }
        return false
    }

    static func + (left: Magnitude, right: Magnitude) -> Magnitude {
        let (long, short) =
            left.limbs.count >= right.limbs.count ? (left.limbs, right.limbs) : (right.limbs, left.limbs)
        var sum = long
        var carry = false
        for index in sum.indices {
            if index >= short.count && !carry { break }
            let (first, one) = sum[index].addingReportingOverflow(index < short.count ? short[index] : 0)
            let (second, two) = first.addingReportingOverflow(carry ? 1 : 0)
            sum[index] = second
            carry = one || two
        }
        if carry { sum.append(1) }
        return Magnitude(limbs: sum)
    }

    /// - Precondition: `right` is not larger than `left`.
    static func - (left: Magnitude, right: Magnitude) -> Magnitude {
        var difference = left.limbs
        var borrow = false
        for index in difference.indices {
            if index >= right.limbs.count && !borrow { break }
            let subtrahend = index < right.limbs.count ? right.limbs[index] : 0
            let (first, one) = difference[index].subtractingReportingOverflow(subtrahend)
            let (second, two) = first.subtractingReportingOverflow(borrow ? 1 : 0)
            difference[index] = second
            borrow = one || two
        }
        precondition(!borrow, "a natural number is never negative")
        return Magnitude(limbs: difference)
    }

    static func * (left: Magnitude, right: Magnitude) -> Magnitude {
        var product = [UInt64](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (offset, factor) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (index, limb) in right.limbs.enumerated() {
                let wide =
                    UInt128(factor) * UInt128(limb) + UInt128(product[offset + index]) + UInt128(carry)
                product[offset + index] = UInt64(truncatingIfNeeded: wide)
                carry = UInt64(truncatingIfNeeded: wide >> 64)
            }
            product[offset + right.limbs.count] = carry
        }
        return Magnitude(limbs: product)
    }

    /// 10^exponent.
    static func power(_ exponent: Int) -> Magnitude {
        var result = Magnitude(1)
        var left = exponent
        while left > 0 {
            let step = min(left, 19)
            result = result * Magnitude(UInt128(Magnitude.powerOfTen(step)))
            left -= step
        }
        return result
    }

    /// 10^exponent for 0...19.
    static func powerOfTen(_ exponent: Int) -> UInt64 {
        var result: UInt64 = 1
        for _ in 0..<exponent { result *= 10 }
        return result
    }
}

extension Magnitude {
    /// Quotient and remainder by one limb.
    func divided(byLimb divisor: UInt64) -> (quotient: Magnitude, remainder: UInt64) {
        var quotient = limbs
        var remainder: UInt64 = 0
        for index in limbs.indices.reversed() {
            (quotient[index], remainder) = divisor.dividingFullWidth((remainder, limbs[index]))
        }
        return (Magnitude(limbs: quotient), remainder)
    }

    /// Quotient and remainder by long division.
    ///
    /// Source: Knuth, "The Art of Computer Programming", volume 2, 4.3.1, algorithm D.
    ///
    /// - Precondition: `divisor` is not zero.
    func divided(by divisor: Magnitude) -> (quotient: Magnitude, remainder: Magnitude) {
        precondition(!divisor.isZero, "division by zero")
        if self < divisor { return (Magnitude(limbs: []), self) }
        if divisor.limbs.count == 1 {
            let (quotient, remainder) = divided(byLimb: divisor.limbs[0])
            return (quotient, Magnitude(UInt128(remainder)))
        }
        // D1: shift so that the highest bit of the divisor is set; then a guessed digit is at most two off.
        let shift = divisor.limbs[divisor.limbs.count - 1].leadingZeroBitCount
        let lower = divisor.shifted(left: shift).limbs
        var upper = shifted(left: shift).limbs
        while upper.count <= limbs.count { upper.append(0) }
        let count = lower.count
        var quotient = [UInt64](repeating: 0, count: upper.count - count)
        for digit in quotient.indices.reversed() {
            quotient[digit] = Magnitude.divide(&upper, at: digit, by: lower)
        }
        let remainder = Magnitude(limbs: Array(upper[..<count])).shifted(right: shift)
        return (Magnitude(limbs: quotient), remainder)
    }

    /// D3 to D6: guesses one digit, subtracts its product, and takes back what was too much.
    private static func divide(_ upper: inout [UInt64], at digit: Int, by lower: [UInt64]) -> UInt64 {
        let count = lower.count
        let head = UInt128(upper[digit + count]) << 64 | UInt128(upper[digit + count - 1])
        var guess = head / UInt128(lower[count - 1])
        var rest = head % UInt128(lower[count - 1])
        while guess >> 64 != 0
            || guess * UInt128(lower[count - 2]) > rest << 64 | UInt128(upper[digit + count - 2])
        {
            guess -= 1
            rest += UInt128(lower[count - 1])
            if rest >> 64 != 0 { break }
        }
        var borrow: UInt128 = 0
        for index in 0..<count {
            let product = guess * UInt128(lower[index]) + borrow
            let (difference, isBelow) = upper[digit + index].subtractingReportingOverflow(
                UInt64(truncatingIfNeeded: product))
            upper[digit + index] = difference
            borrow = product >> 64 + (isBelow ? 1 : 0)
        }
        let (top, isBelow) = upper[digit + count].subtractingReportingOverflow(
            UInt64(truncatingIfNeeded: borrow))
        upper[digit + count] = top
        guard isBelow else { return UInt64(truncatingIfNeeded: guess) }
        var carry: UInt128 = 0
        for index in 0..<count {
            let sum = UInt128(upper[digit + index]) + UInt128(lower[index]) + carry
            upper[digit + index] = UInt64(truncatingIfNeeded: sum)
            carry = sum >> 64
        }
        upper[digit + count] &+= UInt64(truncatingIfNeeded: carry)
        return UInt64(truncatingIfNeeded: guess - 1)
    }

    /// Shifts by 0...63 bits towards the top.
    private func shifted(left bits: Int) -> Magnitude {
        guard bits > 0 else { return self }
        var result: [UInt64] = []
        var carry: UInt64 = 0
        for limb in limbs {
            result.append(limb << UInt64(bits) | carry)
            carry = limb >> UInt64(64 - bits)
        }
        result.append(carry)
        return Magnitude(limbs: result)
    }

    /// Shifts by 0...63 bits towards the bottom.
    private func shifted(right bits: Int) -> Magnitude {
        guard bits > 0 else { return self }
        var result = limbs
        for index in result.indices {
            let above = index + 1 < limbs.count ? limbs[index + 1] << UInt64(64 - bits) : 0
            result[index] = limbs[index] >> UInt64(bits) | above
        }
        return Magnitude(limbs: result)
    }
}
