/// A place that trades, by the short name that recordings, topics and commands use.
public struct Venue: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The venue's name in lower case, such as `binance-usdm`.
    public let rawValue: String

    /// Makes a venue of any name; whether Bitpal speaks its protocol is another question.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static func < (left: Venue, right: Venue) -> Bool { left.rawValue < right.rawValue }
}
