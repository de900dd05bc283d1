package import Instruments
import MarketState
import MarketStore
package import Portfolio
package import Store

/// A price and what it is of, as ``PriceHistory`` takes them.
package typealias PriceRow = (asset: Asset, currency: Asset, point: PricePoint)

extension Session {
    /// The daily closes of assets that the markets of this installation had, in a base currency or in
    /// something that may have a price in it, and the reference rates of currencies in the base.
    ///
    /// One market for each asset and quote: the first by venue that has any. A close is noted when its last
    /// trade was, so that no price is known before it was so.
    ///
    /// - Parameters:
    ///   - assets: What prices are wanted of, at most 1,000; currencies and the base are left out.
    ///   - base: The currency that they are wanted in.
    /// - Returns: Prices in no particular order.
    /// - Throws: ``StoreError``.
    package func dailyCloses(of assets: Set<Asset>, in base: Asset) throws(StoreError) -> [PriceRow] {
        let wanted = assets.filter { !$0.isCurrency && $0 != base }
        var quotes = assets.filter(\.isCurrency).union([base])
        quotes.formUnion(["USD", "EUR", "USDT", "USDC"].map { Asset(rawValue: $0) })
        let stablecoins = quotes.filter { !$0.isCurrency }
        var prices = EuroRate.prices(
            try euroRates(of: quotes.filter(\.isCurrency)), of: quotes, in: base)
        let markets = try instruments().filter { instrument in
            instrument.kind == .spot && quotes.contains(instrument.quote)
                && (wanted.contains(instrument.base) || stablecoins.contains(instrument.base))
        }
        var found: Set<[Asset]> = []
        for market in markets.prefix(StoredPriceLimits.markets) where market.base != market.quote {
            guard !found.contains([market.base, market.quote]) else { continue }
            let candles = try candles(
                of: market.id, .day, from: Timestamp(nanoseconds: .min), to: Timestamp(nanoseconds: .max),
                limit: StoredPriceLimits.days)
            guard !candles.isEmpty else { continue }
            found.insert([market.base, market.quote])
            for candle in candles where candle.close.rawValue > 0 {
                let point = PricePoint(
                    time: candle.closeTime, price: Amount(candle.close.decimal(candle.priceScale)))
                prices.append((market.base, market.quote, point))
            }
        }
        return prices
    }
}

enum StoredPriceLimits {
    /// More than anybody's assets have.
    static let markets = 4_000
    /// Ten years and more.
    static let days = 4_000
}
