/// Why a text or a conversion gives no exact decimal.
public enum DecimalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a decimal number; the offset of the first byte that does not fit.
    case malformed(offset: Int)
    /// The value needs more than an Int64 at its scale, or more than 18 decimal places.
    case overflow
    /// The value has digits beyond the scale that was asked for.
    case inexact

    /// One line for a person.
    public var description: String {
        switch self {
        case .malformed(let offset): "not a decimal number at byte \(offset)"
        case .overflow: "number out of range: at most 18 decimal places in 63 bits"
        case .inexact: "number has more decimal places than its scale"
        }
    }
}

/// An exact decimal: an integer and a scale, value = units / 10^scale.
///
/// Equality and hashing are by representation (`1.50` and `1.5` differ, as their texts do); compare values
/// with ``isEqual(to:)`` and `<`.
public struct DecimalNumber: Hashable, Sendable {
    /// The integer.
    public let units: Int64
    /// Its decimal places.
    public let scale: Scale

    /// Joins an integer and a scale.
    @inlinable
    public init(units: Int64, scale: Scale) {
        self.units = units
        self.scale = scale
    }

    /// Parses a JSON-style number such as `-12.50` or `9.121E-7`; trailing zeros are kept as scale.
    ///
    /// - Throws: ``DecimalError/malformed(offset:)`` or ``DecimalError/overflow``.
    @inlinable
    public init(parsing bytes: UnsafeRawBufferPointer) throws(DecimalError) {
        self = try DecimalNumber.scan(bytes)
    }

    /// Parses text as ``init(parsing:)-(UnsafeRawBufferPointer)`` does.
    ///
    /// - Throws: ``DecimalError/malformed(offset:)`` or ``DecimalError/overflow``.
    public init(parsing text: String) throws(DecimalError) {
        var text = text
        let result: Result<DecimalNumber, DecimalError> = text.withUTF8 { utf8 in
            do throws(DecimalError) {
                return .success(try DecimalNumber.scan(UnsafeRawBufferPointer(utf8)))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    /// The same value at another scale.
    ///
    /// - Throws: ``DecimalError/inexact`` when digits would be lost, ``DecimalError/overflow`` when it does
    ///   not fit.
    @inlinable
    public func rescaled(to target: Scale) throws(DecimalError) -> DecimalNumber {
        if target.rawValue == scale.rawValue { return self }
        if target > scale {
            let factor = Scale.power(target.places - scale.places)
            let (product, overflow) = units.multipliedReportingOverflow(by: factor)
            if overflow { throw .overflow }
            return DecimalNumber(units: product, scale: target)
        }
        let divisor = Scale.power(scale.places - target.places)
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: divisor)
        if remainder != 0 { throw .inexact }
        return DecimalNumber(units: quotient, scale: target)
    }

    /// The same value without trailing zeros after the point.
    public var normalized: DecimalNumber {
        var units = units
        var places = scale.rawValue
        while places > 0, units % 10 == 0 {
            units /= 10
            places -= 1
        }
        return DecimalNumber(units: units, scale: Scale(unchecked: places))
    }

    /// Whether both are the same number, whatever their scales.
    public func isEqual(to other: DecimalNumber) -> Bool {
        let left = normalized
        let right = other.normalized
        return left.units == right.units && left.scale == right.scale
    }
}

extension DecimalNumber: Comparable {
    /// Orders by value.
    ///
    /// Products are taken in 128 bits, so nothing can overflow.
    public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        let scale = max(left.scale, right.scale)
        let a = Int128(left.units) * Int128(Scale.power(scale.places - left.scale.places))
        let b = Int128(right.units) * Int128(Scale.power(scale.places - right.scale.places))
        if a != b { return a < b }
        // Equal values at different scales are ordered by scale, in step with `==`.
        return left.scale < right.scale
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// A plain decimal with as many places as the scale: never an exponent.
    public var description: String { DecimalText.string(units: units, scale: scale) }
}
