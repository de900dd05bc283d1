/// A signed integer of 256 bits: what sums of products of 64-bit and 128-bit numbers need to stay exact.
///
/// Two's complement in two halves. It can do what candles and books need, and reports every overflow.
public struct Int256: Hashable, Sendable {
    /// The upper half with the sign.
    @usableFromInline var high: Int128
    /// The lower half.
    @usableFromInline var low: UInt128

    @inlinable
    init(high: Int128, low: UInt128) {
        self.high = high
        self.low = low
    }

    @inlinable
    public init(_ value: Int128) {
        self.init(high: value < 0 ? -1 : 0, low: UInt128(truncatingIfNeeded: value))
    }

    @inlinable
    public init(_ value: Int64) { self.init(Int128(value)) }

    /// The product, which always fits.
    @inlinable
    public init(product left: Int128, _ right: Int128) {
        let product = left.multipliedFullWidth(by: right)
        self.init(high: product.high, low: product.low)
    }

    @inlinable public static var zero: Int256 { Int256(high: 0, low: 0) }

    /// Whether it is below zero.
    @inlinable public var isNegative: Bool { high < 0 }

    @inlinable public var isZero: Bool { high == 0 && low == 0 }

    /// The number in 128 bits; `nil` when it needs more.
    @inlinable public var narrowed: Int128? {
        let value = Int128(truncatingIfNeeded: low)
        return (value < 0 ? -1 : 0) == high ? value : nil
    }

    /// The sum, and whether it needs more than 256 bits.
    @inlinable
    public func addingReportingOverflow(_ other: Int256) -> (partialValue: Int256, overflow: Bool) {
        let (newLow, carry) = low.addingReportingOverflow(other.low)
        let (sum, first) = high.addingReportingOverflow(other.high)
        let (newHigh, second) = sum.addingReportingOverflow(carry ? 1 : 0)
        // Of two overflows in opposite directions the first is undone: the sum was in range after all.
        return (Int256(high: newHigh, low: newLow), first != second)
    }

    /// The negative, and whether it needs more than 256 bits.
    @inlinable
    public func negatedReportingOverflow() -> (partialValue: Int256, overflow: Bool) {
        let negated = Int256(high: ~high, low: ~low).addingReportingOverflow(Int256(Int128(1)))
        return (negated.partialValue, isNegative && negated.partialValue.isNegative)
    }

    /// The product, and whether it needs more than 256 bits.
    public func multipliedReportingOverflow(by factor: Int128) -> (partialValue: Int256, overflow: Bool) {
        let left = magnitude
        let lower = left.low.multipliedFullWidth(by: factor.magnitude)
        let upper = left.high.multipliedFullWidth(by: factor.magnitude)
        let (sum, carry) = upper.low.addingReportingOverflow(lower.high)
        let wasLost = upper.high != 0 || carry || sum >> 127 != 0
        let value = Int256(high: Int128(truncatingIfNeeded: sum), low: lower.low)
        return (isNegative != (factor < 0) ? value.negatedReportingOverflow().partialValue : value, wasLost)
    }

    /// The absolute value in two unsigned halves.
    @usableFromInline var magnitude: (high: UInt128, low: UInt128) {
        let value = isNegative ? negatedReportingOverflow().partialValue : self
        return (UInt128(truncatingIfNeeded: value.high), value.low)
    }
}

extension Int256: Comparable {
    @inlinable
    public static func < (left: Int256, right: Int256) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension Int256 {
    /// The sum.
    ///
    /// - Precondition: It fits 256 bits, as every sum of fewer than 2^64 products of three Int64 does.
    @inlinable
    public static func += (left: inout Int256, right: Int256) {
        let (sum, overflow) = left.addingReportingOverflow(right)
        precondition(!overflow, "the sum fits 256 bits")
        left = sum
    }

    /// The difference.
    ///
    /// - Precondition: It fits 256 bits.
    @inlinable
    public static func -= (left: inout Int256, right: Int256) {
        let (negated, first) = right.negatedReportingOverflow()
        let (sum, second) = left.addingReportingOverflow(negated)
        precondition(!first && !second, "the difference fits 256 bits")
        left = sum
    }
}
