import Instruments

/// A value to compare: an integer of 19 decimal places, in which every decimal and the middle of any two are
/// exact.
///
/// What would lie beyond the ends of 127 bits stops there, where no decimal is.
struct ExactValue: Hashable, Sendable {
    /// Units of 10^-19.
    let units: Int128

    static let places = 19
    static let least = ExactValue(units: .min)
    static let greatest = ExactValue(units: .max)

    init(units: Int128) { self.units = units }

    /// 63 bits and 10^19 at most: always fits.
    @inline(__always)
    init(_ number: DecimalNumber) {
        units = Int128(number.units) * ExactValue.unit(of: number.scale)
    }

    /// The middle of two integers of one scale.
    init(middleOf left: Int64, _ right: Int64, _ scale: Scale) {
        units = (Int128(left) + Int128(right)) * (ExactValue.unit(of: scale) / 2)
    }

    /// How much an integer of a scale counts.
    @inline(__always)
    static func unit(of scale: Scale) -> Int128 { factors[scale.places] }

    private static let factors: [Int128] = (0...Scale.maximum.places).map { places in
        (places..<ExactValue.places).reduce(Int128(1)) { power, _ in power * 10 }
    }

    /// The next one above, between which and this one no decimal lies.
    var next: ExactValue { ExactValue(units: units == .max ? .max : units + 1) }

    /// The next one below.
    var before: ExactValue { ExactValue(units: units == .min ? .min : units - 1) }

    /// The smallest integer of a scale at or above it; stops at the ends.
    func ceiling(at scale: Scale) -> Int64 {
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: ExactValue.unit(of: scale))
        return Int64(clamping: remainder > 0 ? quotient + 1 : quotient)
    }

    /// The greatest integer of a scale at or below it; stops at the ends.
    func floor(at scale: Scale) -> Int64 {
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: ExactValue.unit(of: scale))
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    /// As a decimal without zeros at its end; digits that do not fit one are cut.
    var decimal: DecimalNumber { DecimalNumber(cutting: units, places: ExactValue.places) }

    static func + (left: ExactValue, right: ExactValue) -> ExactValue {
        let (sum, overflow) = left.units.addingReportingOverflow(right.units)
        return overflow ? (left.units > 0 ? greatest : least) : ExactValue(units: sum)
    }

    static func - (left: ExactValue, right: ExactValue) -> ExactValue {
        let (difference, overflow) = left.units.subtractingReportingOverflow(right.units)
        return overflow ? (left.units > 0 ? greatest : least) : ExactValue(units: difference)
    }
}

extension ExactValue: Comparable {
    @inline(__always)
    static func < (left: ExactValue, right: ExactValue) -> Bool { left.units < right.units }
}

/// A value as it is said to a person, and exactly where no decimal holds it.
struct Reading: Hashable, Sendable {
    /// Cut where no decimal holds the value.
    var said: DecimalNumber
    /// `nil` where ``said`` is the value.
    var wide: ExactValue?

    init(_ said: DecimalNumber) { self.said = said }

    init(_ value: ExactValue) {
        said = value.decimal
        wide = ExactValue(said) == value ? nil : value
    }

    var exact: ExactValue { wide ?? ExactValue(said) }
}

extension DecimalNumber {
    /// Without zeros at the end; digits that do not fit are cut, and what is too great stops at the ends.
    init(cutting units: Int128, places: Int) {
        var (units, places) = (units, places)
        while places > 0, places > Scale.maximum.places || units % 10 == 0 || Int64(exactly: units) == nil {
            units /= 10
            places -= 1
        }
        self.init(units: Int64(clamping: units), scale: Scale(places) ?? .zero)
    }
}
