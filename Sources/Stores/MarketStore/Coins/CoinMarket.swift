package import Instruments

/// A market of a coin, as far as it is known how good it is.
package struct CoinMarket: Hashable, Sendable {
    package let instrument: Instrument
    /// What stands behind its price; `nil` where nothing is heard of one.
    package var origin: PriceOrigin?
    /// Whether that price is not of now.
    package var isStale: Bool
    /// What was traded in 24 hours, in the quote asset; `nil` where nobody says.
    package var volume: Amount?

    package init(
        _ instrument: Instrument, origin: PriceOrigin? = nil, isStale: Bool = false, volume: Amount? = nil
    ) {
        self.instrument = instrument
        self.origin = origin
        self.isStale = isStale
        self.volume = volume
    }

    /// Whether its price is of now, and of our own tape or of a proven book.
    package var isProven: Bool { origin == .proven && !isStale }

    /// What is worth a dollar, so that volumes in it can be compared.
    private static let dollars: Set<String> = ["USD", "USDT", "USDC", "FDUSD", "USDE", "DAI", "PYUSD"]

    /// The one of a coin's markets which says its price best: those of venues before aggregated ones, of now
    /// before stale before silent, proven before others, against dollars before other money, spot before
    /// contracts, then by volume.
    ///
    /// - Parameter markets: The more popular first, which decides where nothing else does.
    /// - Returns: `nil` where there is none.
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

    /// What venues say was traded against dollars in 24 hours: on the spot, else in contracts.
    ///
    /// - Parameter markets: Of one coin; those of aggregated providers say nothing of their own.
    /// - Returns: `nil` where nobody says anything.
    package static func turnover(_ markets: [CoinMarket]) -> Amount? {
        let told = markets.filter { market in
            market.isInDollars && !market.instrument.id.venue.isAggregated && market.volume != nil
        }
        let spot = told.filter { $0.instrument.kind == .spot }
        let counted = spot.isEmpty ? told : spot
        return counted.isEmpty ? nil : counted.compactMap(\.volume).reduce(Amount.zero, +)
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
            instrument.id.venue.isAggregated ? 1 : 0, origin == nil ? 2 : isStale ? 1 : 0,
            origin == .proven ? 0 : 1, isInDollars ? 0 : 1,
            instrument.kind == .spot ? 0 : instrument.kind == .perpetual ? 1 : 2,
        ]
    }
}
