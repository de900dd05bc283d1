import Instruments
import MarketData

/// What a venue's markets traded in 24 hours, in their quote asset, as the venue tells of all of them.
struct MarketVolumes: Sendable {
    private var volumes: [String: Amount] = [:]

    init(_ parts: [MarketTickerPart]) {
        for ticker in parts.flatMap(\.tickers) { volumes[ticker.symbol] = Self.volume(of: ticker) }
    }

    /// Whether nothing is known of any.
    var isEmpty: Bool { volumes.isEmpty }

    private static func volume(of ticker: MarketTicker) -> Amount? {
        ticker.quoteVolume ?? ticker.baseVolume.map { $0 * Amount(ticker.last) }
    }

    /// The symbols of the most volume, the first first; those of which nothing is known come last.
    func top(_ count: Int, of symbols: [String]) -> [String] {
        let ranked = symbols.map { (symbol: $0, volume: volumes[$0] ?? .zero) }
            .sorted { ($1.volume, $0.symbol) < ($0.volume, $1.symbol) }
        return ranked.prefix(count).map(\.symbol)
    }
}
