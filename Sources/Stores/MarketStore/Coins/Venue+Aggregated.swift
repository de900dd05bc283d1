package import Instruments

extension Venue {
    /// The providers of aggregated prices, which are venues of their own kind: tickers, and never a book or a
    /// tape.
    package static let aggregated: [Venue] = [
        "coingecko", "coinpaprika", "coinlore", "coindesk", "cryptocompare",
    ].map(Venue.init(rawValue:))

    /// Whether prices of the venue are means over markets that nobody proved.
    package var isAggregated: Bool { Venue.aggregated.contains(self) }
}
