/// An instant: nanoseconds since 1970-01-01 UTC, from 1677 to 2262.
public struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01 UTC.
    public let rawValue: Int64

    /// Wraps nanoseconds since 1970-01-01 UTC.
    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Wraps nanoseconds since 1970-01-01 UTC.
    @inlinable
    public init(nanoseconds: Int64) { self.rawValue = nanoseconds }

    /// Takes milliseconds since 1970-01-01 UTC; `nil` when they are beyond the years 1677...2262.
    @inlinable
    public init?(milliseconds: Int64) {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return nil }
        self.rawValue = product
    }

    /// 1970-01-01 UTC.
    public static let zero = Timestamp(nanoseconds: 0)

    /// Nanoseconds since 1970-01-01 UTC.
    @inlinable public var nanoseconds: Int64 { rawValue }

    /// The instant so much later, stopping at the ends of the range.
    @inlinable
    public func adding(nanoseconds: Int64) -> Timestamp {
        let (sum, overflow) = rawValue.addingReportingOverflow(nanoseconds)
        if overflow { return Timestamp(nanoseconds: nanoseconds > 0 ? .max : .min) }
        return Timestamp(nanoseconds: sum)
    }

    /// Nanoseconds from `earlier` to this instant, stopping at the ends of Int64.
    @inlinable
    public func nanoseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = rawValue.subtractingReportingOverflow(earlier.rawValue)
        if overflow { return rawValue > earlier.rawValue ? .max : .min }
        return difference
    }

    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.rawValue < right.rawValue }
}
