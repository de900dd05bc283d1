public import Instruments

/// An exact decimal of up to 76 digits: an integer of 256 bits and its decimal places.
///
/// What sums of price × size are; a `DecimalNumber` is too narrow for them. Equality is by representation,
/// as there; ``isEqual(to:)`` compares values.
public struct WideDecimal: Hashable, Sendable {
    /// The integer.
    public let units: Int256
    /// Its decimal places, 0...76.
    public let places: Int

    /// Joins an integer and its places.
    ///
    /// - Precondition: `places` is 0...76.
    public init(units: Int256, places: Int) {
        precondition((0...76).contains(places), "a decimal has 0 to 76 places")
        self.units = units
        self.places = places
    }

    public init(_ number: DecimalNumber) {
        self.init(units: Int256(number.units), places: number.scale.places)
    }

    /// The same value without trailing zeros after the point.
    public var normalized: WideDecimal {
        var units = units
        var places = places
        let ten = Int256(Int128(10))
        while places > 0 {
            let (quotient, remainder) = units.quotientAndRemainder(dividingBy: ten)
            guard remainder.isZero else { break }
            units = quotient
            places -= 1
        }
        return WideDecimal(units: units, places: places)
    }

    /// Whether both are the same number, whatever their places.
    public func isEqual(to other: WideDecimal) -> Bool { normalized == other.normalized }

    /// The value rounded half-even to a scale; `nil` when that needs more than 63 bits.
    public func rounded(to scale: Scale) -> DecimalNumber? {
        var units = units
        if places > scale.places {
            var left = places - scale.places
            // One division only, since rounding twice is not rounding once.
            var divisor = Int256(Int128(1))
            while left > 0 {
                let step = min(left, PowerOfTen.highest)
                divisor = divisor.multipliedReportingOverflow(by: PowerOfTen.int128(step)).partialValue
                left -= step
            }
            units = units.dividedRoundingHalfEven(by: divisor)
        } else {
            let factor = PowerOfTen.int128(scale.places - places)
            let (product, overflow) = units.multipliedReportingOverflow(by: factor)
            if overflow { return nil }
            units = product
        }
        guard let value = units.narrowed, let narrow = Int64(exactly: value) else { return nil }
        return DecimalNumber(units: narrow, scale: scale)
    }
}

extension WideDecimal: CustomStringConvertible {
    /// A plain decimal with as many places as the number has: never an exponent.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of ``description`` as ASCII.
    public func append(to bytes: inout [UInt8]) {
        if units.isNegative { bytes.append(0x2D) }
        // 78 digits at most: five groups of 18.
        var digits: [UInt8] = []
        digits.reserveCapacity(90)
        let group = Int256(PowerOfTen.int128(18))
        var rest = units
        while !rest.isZero || digits.count <= places {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: group)
            var part = UInt64(truncatingIfNeeded: remainder.magnitude.low)
            for _ in 0..<18 {
                digits.append(0x30 + UInt8(part % 10))
                part /= 10
            }
            rest = quotient
        }
        while digits.count > places + 1, digits.last == 0x30 { digits.removeLast() }
        for index in stride(from: digits.count - 1, through: 0, by: -1) {
            bytes.append(digits[index])
            if index == places, places > 0 { bytes.append(0x2E) }
        }
    }
}
