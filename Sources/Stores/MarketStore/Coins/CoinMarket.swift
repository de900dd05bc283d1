package import Instruments

/// A market of a coin, as far as it is known how good it is.
package struct CoinMarket: Hashable, Sendable {
    package let instrument: Instrument
    /// Whether its book is live.
    package var isProven: Bool
    /// Whether anything is heard of its price.
    package var isHeard: Bool
    /// What was traded in 24 hours, in the quote asset; `nil` where nobody says.
    package var volume: Amount?

    package init(
        _ instrument: Instrument, isProven: Bool = false, isHeard: Bool = false, volume: Amount? = nil
    ) {
        self.instrument = instrument
        self.isProven = isProven
        self.isHeard = isHeard
        self.volume = volume
    }

    /// What is worth a dollar, so that volumes in it can be compared.
    private static let dollars: Set<String> = ["USD", "USDT", "USDC", "FDUSD", "USDE", "DAI", "PYUSD"]

    /// The best of a coin's markets: proven before heard of before others, those of venues before aggregated
    /// ones, against dollars before other money, spot before contracts, then by volume.
    ///
    /// - Parameter markets: The more popular first, which decides where nothing else does.
    package static func best(_ markets: [CoinMarket]) -> CoinMarket? {
        var best: CoinMarket?
        for market in markets {
            guard let known = best else {
                best = market
                continue
            }
            if market.isBetter(than: known) { best = market }
        }
        return best
    }

    private func isBetter(than other: CoinMarket) -> Bool {
        let (own, others) = (standing, other.standing)
        if own != others { return own.lexicographicallyPrecedes(others) }
        // Volumes in different money say nothing of each other.
        guard isInDollars || instrument.quote == other.instrument.quote else { return false }
        return (volume ?? .zero) > (other.volume ?? .zero)
    }

    private var isInDollars: Bool { Self.dollars.contains(instrument.quote.rawValue) }

    /// Lower is better, the first one first.
    private var standing: [Int] {
        [
            instrument.id.venue.isAggregated ? 1 : 0, isProven ? 0 : isHeard ? 1 : 2, isInDollars ? 0 : 1,
            instrument.kind == .spot ? 0 : instrument.kind == .perpetual ? 1 : 2,
        ]
    }
}
