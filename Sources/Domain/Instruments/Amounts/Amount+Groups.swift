extension Amount {
    /// An amount in digits of base 10,000 that are aligned at the point: how databases keep decimals.
    package struct Groups: Hashable, Sendable {
        /// False for zero.
        package var isNegative: Bool
        /// The most significant first, 0...9,999 each.
        package var digits: [UInt16]
        /// The first digit counts 10,000^weight.
        package var weight: Int
        /// Decimal places, 0 or more.
        package var places: Int

        package init(isNegative: Bool, digits: [UInt16], weight: Int, places: Int) {
            (self.isNegative, self.digits, self.weight, self.places) = (isNegative, digits, weight, places)
        }

        /// Digits after the point that hold all places.
        fileprivate var fraction: Int { (places + 3) / 4 }

        /// 10^(zeros that fill the last of those).
        fileprivate var filling: UInt64 { Magnitude.powerOfTen(fraction * 4 - places) }
    }

    /// The amount in groups, without zeros at either end, and with the fewest places.
    package var groups: Groups {
        let short = stripped
        var groups = Groups(isNegative: short.isNegative, digits: [], weight: 0, places: short.places)
        if short.isZero { return groups }
        /// The lowest first.
        func append(_ part: UInt64) {
            var part = part
            for _ in 0..<4 {
                groups.digits.append(UInt16(part % 10_000))
                part /= 10_000
            }
        }
        let (product, overflow) = short.small.magnitude.multipliedReportingOverflow(
            by: UInt128(groups.filling))
        if short.limbs == nil, !overflow {
            var rest = product
            while rest > 0 {
                let (quotient, part) = rest.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
                append(UInt64(part))
                rest = quotient
            }
        } else {
            var rest = short.unsigned * Magnitude(UInt128(groups.filling))
            while !rest.isZero {
                let (quotient, part) = rest.divided(byLimb: 10_000_000_000_000_000)
                append(part)
                rest = quotient
            }
        }
        while groups.digits.last == 0 { groups.digits.removeLast() }
        groups.weight = groups.digits.count - 1 - groups.fraction
        groups.digits = groups.digits.drop { $0 == 0 }.reversed()
        return groups
    }

    /// The amount of some groups; what stands behind their places is cut off.
    ///
    /// - Precondition: No digit is above 9,999, and places are not negative.
    package init(_ groups: Groups) {
        let count = max(groups.weight + 1 + groups.fraction, 0)
        func digit(_ index: Int) -> UInt16 { index < groups.digits.count ? groups.digits[index] : 0 }
        // Nine of them are below 10^36.
        guard count > 9 else {
            var units: UInt128 = 0
            for index in 0..<count { units = units &* 10_000 &+ UInt128(digit(index)) }
            units /= UInt128(groups.filling)
            self.init(small: Int128(units) * (groups.isNegative ? -1 : 1), places: groups.places)
            return
        }
        var units = Magnitude(limbs: [])
        for index in 0..<count { units = units * Magnitude(10_000) + Magnitude(UInt128(digit(index))) }
        units = units.divided(byLimb: groups.filling).quotient
        self.init(isNegative: groups.isNegative, units, places: groups.places)
    }
}

extension Amount {
    /// The integer at so many decimal places; `nil` where digits would be lost or 127 bits are too few.
    package func units(places: Int) -> Int128? {
        let short = stripped
        guard short.limbs == nil, short.places <= places else { return nil }
        return Amount.scaled(short.small, by: places - short.places)
    }

    /// An integer that may need more than 127 bits, by its magnitude in limbs of 64 bits, lowest first.
    ///
    /// - Precondition: `places` is 0 or more.
    package init(isNegative: Bool, limbs: [UInt64], places: Int) {
        precondition(places >= 0, "decimal places are never negative")
        self.init(isNegative: isNegative, Magnitude(limbs: limbs), places: places)
    }
}
