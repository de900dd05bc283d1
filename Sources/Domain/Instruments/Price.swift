/// A price as an integer at its instrument's price scale; meaningless without that scale.
public struct Price: RawRepresentable, Hashable, Comparable, Sendable {
    /// Units of 10^-scale of the quote asset.
    public let rawValue: Int64

    /// Wraps units of 10^-scale.
    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Wraps units of 10^-scale.
    @inlinable
    public init(_ units: Int64) { self.rawValue = units }

    /// The units with their scale.
    @inlinable
    public func decimal(_ scale: Scale) -> DecimalNumber { DecimalNumber(units: rawValue, scale: scale) }

    /// A plain decimal with as many places as the scale.
    public func text(_ scale: Scale) -> String { DecimalText.string(units: rawValue, scale: scale) }

    @inlinable
    public static func < (left: Price, right: Price) -> Bool { left.rawValue < right.rawValue }
}

/// A size as an integer at its instrument's size scale; meaningless without that scale.
public struct Quantity: RawRepresentable, Hashable, Comparable, Sendable {
    /// Units of 10^-scale of the base asset, or of contracts.
    public let rawValue: Int64

    /// Wraps units of 10^-scale.
    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Wraps units of 10^-scale.
    @inlinable
    public init(_ units: Int64) { self.rawValue = units }

    @inlinable public static var zero: Quantity { Quantity(0) }

    /// The units with their scale.
    @inlinable
    public func decimal(_ scale: Scale) -> DecimalNumber { DecimalNumber(units: rawValue, scale: scale) }

    /// A plain decimal with as many places as the scale.
    public func text(_ scale: Scale) -> String { DecimalText.string(units: rawValue, scale: scale) }

    @inlinable
    public static func < (left: Quantity, right: Quantity) -> Bool { left.rawValue < right.rawValue }
}
