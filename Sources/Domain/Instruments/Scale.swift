/// How many decimal places an integer carries: value = units / 10^places, 0...18 places.
public struct Scale: RawRepresentable, Hashable, Comparable, Sendable {
    /// Decimal places, 0...18.
    public let rawValue: UInt8

    /// Returns `nil` above 18 places, the most that an Int64 can carry.
    @inlinable
    public init?(rawValue: UInt8) {
        guard rawValue <= 18 else { return nil }
        self.rawValue = rawValue
    }

    /// Returns `nil` outside 0...18.
    @inlinable
    public init?(_ places: Int) {
        guard places >= 0, places <= 18 else { return nil }
        self.rawValue = UInt8(truncatingIfNeeded: places)
    }

    @usableFromInline
    init(unchecked places: UInt8) { self.rawValue = places }

    /// Decimal places, 0...18.
    @inlinable public var places: Int { Int(rawValue) }

    /// No decimal places: whole numbers.
    public static let zero = Scale(unchecked: 0)
    /// 18 decimal places.
    public static let maximum = Scale(unchecked: 18)

    /// 10^places, at most 10^18.
    @inlinable public var power: Int64 { Scale.power(Int(rawValue)) }

    @inlinable
    public static func < (left: Scale, right: Scale) -> Bool { left.rawValue < right.rawValue }

    /// 10^exponent for 0...18.
    @inlinable
    static func power(_ exponent: Int) -> Int64 {
        var result: Int64 = 1
        var left = exponent
        while left > 0 {
            result &*= 10
            left &-= 1
        }
        return result
    }
}
