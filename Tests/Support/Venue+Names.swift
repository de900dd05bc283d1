package import Instruments
import Venues

/// The venues by their names, for tests and benchmarks that need one and ask nothing of it.
extension Venue {
    package static let bitmex = Venue(rawValue: "bitmex")
    package static let kraken = Venue(rawValue: "kraken")
    package static let binance = Venue(rawValue: "binance")
    package static let binanceUS = Venue(rawValue: "binance-us")
    package static let binanceUSDM = Venue(rawValue: "binance-usdm")

    /// Those of the catalogue, sorted by name.
    package static var known: [Venue] { VenueCatalogue.standard.venues }
}
