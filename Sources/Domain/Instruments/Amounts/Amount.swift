/// An exact decimal of any size, an integer × 10^-places: what a ledger counts in.
///
/// Addition, subtraction and multiplication are exact; division rounds half-even at a stated number of
/// places. An integer of up to 127 bits is kept in place; a larger one on the heap, at some cost in speed
/// and none in digits. Equality, order and hashing are by value: 1.50 equals 1.5.
public struct Amount: Sendable {
    /// The integer when it fits; else 1 or -1 for the sign of ``limbs``.
    let small: Int128
    /// Decimal places, 0 or more.
    let places: Int
    /// The magnitude of an integer that does not fit ``small``.
    let limbs: [UInt64]?

    init(small: Int128, places: Int) {
        self.small = small
        self.places = places
        limbs = nil
    }

    /// Joins a sign, a magnitude and places, in place when it fits.
    init(isNegative: Bool, _ magnitude: Magnitude, places: Int) {
        self.places = places
        if let value = magnitude.small, value <= UInt128(Int128.max) {
            small = isNegative ? -Int128(value) : Int128(value)
            limbs = nil
        } else {
            small = isNegative ? -1 : 1
            limbs = magnitude.limbs
        }
    }

    /// Units of 10^-places.
    ///
    /// - Precondition: `places` is 0 or more.
    public init(units: Int64, places: Int = 0) {
        precondition(places >= 0, "decimal places are never negative")
        self.init(small: Int128(units), places: places)
    }

    /// Units of 10^-places.
    ///
    /// - Precondition: `places` is 0 or more, and the units are not the smallest `Int128`.
    public init(wideUnits: Int128, places: Int) {
        precondition(places >= 0 && wideUnits != .min, "an amount has places, and a value without its sign")
        self.init(small: wideUnits, places: places)
    }

    /// The integer and its decimal places, for sums in a hurry; `nil` when it needs more than 127 bits.
    public var wideUnits: (units: Int128, places: Int)? { limbs == nil ? (small, places) : nil }

    /// A decimal of the market-data kind, without loss.
    public init(_ number: DecimalNumber) {
        self.init(small: Int128(number.units), places: number.scale.places)
    }

    public static let zero = Amount(small: 0, places: 0)
    public static let one = Amount(small: 1, places: 0)

    public var isZero: Bool { small == 0 }
    /// Whether it is below zero.
    public var isNegative: Bool { small < 0 }
    /// Whether it is above zero.
    public var isPositive: Bool { small > 0 }

    /// The value without its sign.
    public var magnitude: Amount { isNegative ? -self : self }

    /// Places that remain when zeros at the end are left out.
    public var decimalPlaces: Int { stripped.places }

    var unsigned: Magnitude {
        if let limbs { return Magnitude(limbs: limbs) }
        return Magnitude(small.magnitude)
    }

    /// The same value with the fewest places.
    var stripped: Amount {
        guard places > 0 else { return self }
        guard limbs != nil else {
            var (units, places) = (small, places)
            if units == 0 { return .zero }
            while places > 0 {
                let (quotient, remainder) = units.quotientAndRemainder(dividingBy: 10)
                guard remainder == 0 else { break }
                units = quotient
                places -= 1
            }
            return Amount(small: units, places: places)
        }
        var (rest, places) = (unsigned, places)
        while places > 0 {
            let (quotient, remainder) = rest.divided(byLimb: 10)
            guard remainder == 0 else { break }
            rest = quotient
            places -= 1
        }
        return Amount(isNegative: isNegative, rest, places: places)
    }

    /// 10^exponent for 0...38.
    static let powers: [Int128] = {
        var powers: [Int128] = [1]
        for _ in 1...38 { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }()

    /// small × 10^exponent; `nil` when it needs more than 127 bits.
    static func scaled(_ value: Int128, by exponent: Int) -> Int128? {
        if exponent == 0 { return value }
        // Most ledgers count in few digits: a product of two Int64 is much cheaper than one of two Int128.
        if exponent <= 18, let short = Int64(exactly: value) {
            let product = short.multipliedFullWidth(by: Scale.power(exponent))
            return Int128(product.high) << 64 | Int128(product.low)
        }
        guard exponent <= 38 else { return value == 0 ? 0 : nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: powers[exponent])
        return overflow ? nil : product
    }
}

extension Amount: Comparable {
    /// Whether both are the same number.
    public static func == (left: Amount, right: Amount) -> Bool {
        if left.places == right.places, left.limbs == nil, right.limbs == nil {
            return left.small == right.small
        }
        return compare(left, right) == 0
    }

    public static func < (left: Amount, right: Amount) -> Bool { compare(left, right) < 0 }

    /// -1, 0 or 1.
    private static func compare(_ left: Amount, _ right: Amount) -> Int {
        let places = max(left.places, right.places)
        if left.limbs == nil, right.limbs == nil, let a = scaled(left.small, by: places - left.places),
            let b = scaled(right.small, by: places - right.places)
        {
            return a < b ? -1 : a == b ? 0 : 1
        }
        let signs = (left.small.signum(), right.small.signum())
        if signs.0 != signs.1 { return signs.0 < signs.1 ? -1 : 1 }
        let a = left.unsigned * .power(places - left.places)
        let b = right.unsigned * .power(places - right.places)
        if a == b { return 0 }
        return (a < b) == (signs.0 > 0) ? -1 : 1
    }
}

extension Amount: Hashable {
    /// Feeds the value: equal amounts of different places hash alike.
    public func hash(into hasher: inout Hasher) {
        let short = stripped
        hasher.combine(short.small)
        hasher.combine(short.places)
        hasher.combine(short.limbs)
    }
}
