/// A place that trades, by the short name that recordings, topics and commands use.
public struct Venue: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The venue's name in lower case, such as `binance-usdm`.
    public let rawValue: String

    /// Makes a venue of any name; whether Bitpal speaks its protocol is another question (``known``).
    public init(rawValue: String) { self.rawValue = rawValue }

    /// BitMEX, www.bitmex.com.
    public static let bitmex = Venue(rawValue: "bitmex")
    /// Kraken spot, www.kraken.com.
    public static let kraken = Venue(rawValue: "kraken")
    /// Binance spot, www.binance.com.
    public static let binance = Venue(rawValue: "binance")
    /// Binance.US spot, www.binance.us.
    public static let binanceUS = Venue(rawValue: "binance-us")
    /// Binance USD-M futures, fapi.binance.com.
    public static let binanceUSDM = Venue(rawValue: "binance-usdm")

    /// Every venue whose protocol Bitpal speaks, sorted by name.
    public static let known: [Venue] = [.binance, .binanceUS, .binanceUSDM, .bitmex, .kraken]

    /// Whether it says mark prices of its derivatives, and Bitpal reads them.
    public var saysMarkPrices: Bool { self == .bitmex || self == .binanceUSDM }

    /// The name.
    public var description: String { rawValue }

    /// Orders by name.
    public static func < (left: Venue, right: Venue) -> Bool { left.rawValue < right.rawValue }
}
