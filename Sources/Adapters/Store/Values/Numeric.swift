/// An exact decimal number as text, for PostgreSQL's NUMERIC.
///
/// Trailing zeros are kept and count: `1.0` and `1.00` are different values here, as their scale differs.
package struct Numeric: Hashable, Sendable, LosslessStringConvertible {
    /// Digits before and after the point together.
    package static let maximumDigits = 1_000

    /// Plain notation: an optional minus sign, digits, and a point where there is a fraction.
    package let description: String

    /// Takes plain decimal notation such as `-12.50`; `nil` for anything else, exponents included.
    ///
    /// Superfluous leading zeros and a plus sign go; a negative zero loses its sign.
    package init?(_ text: String) {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty || parts.count == 2 else { return nil }
        let fraction = parts.count == 2 ? parts[1] : Substring().utf8[...]
        let count = whole.count + fraction.count
        guard count > 0, count <= Self.maximumDigits, parts.count == 1 || !fraction.isEmpty else {
            return nil
        }
        let isDigit = { (byte: UInt8) in byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        guard whole.allSatisfy(isDigit), fraction.allSatisfy(isDigit) else { return nil }
        self.init(isNegative: isNegative, whole: Array(whole), fraction: Array(fraction))
    }

    /// The number `units / 10^scale`.
    ///
    /// - Parameters:
    ///   - units: The number without its point.
    ///   - scale: Decimal places, 0...18; a value outside is clamped.
    package init(units: Int64, scale: Int) {
        let scale = min(max(scale, 0), 18)
        var digits = Array("\(units.magnitude)".utf8)
        if digits.count <= scale {
            digits.insert(
                contentsOf: repeatElement(UInt8(ascii: "0"), count: scale + 1 - digits.count), at: 0)
        }
        let point = digits.count - scale
        self.init(isNegative: units < 0, whole: Array(digits[..<point]), fraction: Array(digits[point...]))
    }

    /// - Parameters: ASCII digits.
    init(isNegative: Bool, whole: [UInt8], fraction: [UInt8]) {
        let zero = UInt8(ascii: "0")
        let significant = whole.drop { $0 == zero }
        let isZero = significant.isEmpty && fraction.allSatisfy { $0 == zero }
        var text = isNegative && !isZero ? "-" : ""
        text += significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self)
        if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
        description = text
    }
}
