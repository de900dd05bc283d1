package import Instruments
import MarketStore
package import Store

extension Session {
    /// The spot markets whose daily closes tell what assets were worth, stablecoins' included.
    ///
    /// - Parameters:
    ///   - assets: Since when each is held.
    ///   - base: The currency that is wanted.
    /// - Returns: Each market once, with the first instant that is wanted of it; by name.
    /// - Throws: ``StoreError``.
    package func historyMarkets(
        of assets: [Asset: Timestamp], in base: Asset
    ) throws(StoreError) -> [(market: Instrument, since: Timestamp)] {
        let instruments = try instruments()
        let markets = FollowedMarkets(instruments, base: base)
        var since: [InstrumentID: Timestamp] = [:]
        for (asset, time) in assets {
            for id in markets.following([asset]) { since[id] = min(since[id] ?? time, time) }
        }
        return instruments.compactMap { market in since[market.id].map { (market, $0) } }
            .sorted { $0.market.id.description < $1.market.id.description }
    }
}
