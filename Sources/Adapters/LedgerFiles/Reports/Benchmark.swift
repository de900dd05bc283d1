package import Instruments
package import Portfolio

/// What a performance is compared with: an asset, or an instrument of a venue by its last price.
///
/// Among prices an instrument is named like an asset, by its ``InstrumentID`` such as `kraken:BTC/USD`, and
/// its currency is what it is quoted in.
package struct Benchmark: Sendable {
    /// `BTC`, or `kraken:BTC/USD`.
    package let name: String
    /// Its prices, and what turns them into the currency of a report.
    package let prices: PriceHistory

    package init(_ name: String, prices: PriceHistory) {
        self.name = name
        self.prices = prices
    }

    /// Whether it is an instrument of a venue.
    package var isInstrument: Bool { InstrumentID(name) != nil }

    /// Its price in a currency as known at a time; `nil` when none was.
    package func price(in base: Asset, at time: Timestamp) -> PricePoint? {
        prices.price(of: Asset(rawValue: name), in: base, at: time)
    }
}
