import Bus
import Instruments
import MarketData
import Portfolio
import Wire

/// What no index prices is priced by venues' tickers, and marked.
extension ValuationCore {
    /// Assets that are held and that no index prices: those whose markets are to be looked at.
    var unpriced: Set<Asset> {
        assets.filter { !$0.isCurrency && !indexedAssets.contains($0) }
    }

    /// The spot markets of what no index prices.
    mutating func look(at instruments: [Instrument]) {
        for pair in tickers.look(at: instruments) { setTicker(of: pair) }
    }

    mutating func takeTickers(_ message: BusMessage, _ batch: BusBatch) {
        guard case .marketTickers(let part)? = try? batch.decode(message),
            let changed = tickers.take(part, by: batch.producer(message.producer))
        else {
            malformed &+= 1
            return
        }
        for pair in changed { setTicker(of: pair) }
    }

    /// Says of every such price anew whether it is of now.
    mutating func judgeTickers() {
        for pair in tickers.all { setTicker(of: pair) }
    }

    /// An index prices this asset from now on: what venues say of it counts no more.
    mutating func prefersIndex(of asset: Asset) {
        guard indexedAssets.insert(asset).inserted else { return }
        for pair in tickers.all where pair.asset == asset { valuations.update(nil, of: pair) }
    }

    private mutating func setTicker(of pair: QuotePair) {
        guard !indexedAssets.contains(pair.asset) else { return }
        valuations.update(tickers.quote(of: pair) { doubt(about: $0) }, of: pair)
    }
}
