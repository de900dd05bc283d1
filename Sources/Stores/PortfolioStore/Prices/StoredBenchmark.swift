package import Instruments
package import LedgerFiles
import MarketState
import MarketStore
import Portfolio
package import Store

extension Session {
    /// What a performance can be compared with, by its stored daily closes: an asset, or any instrument of a
    /// venue.
    ///
    /// - Parameters:
    ///   - name: `BTC`, or `kraken:BTC/USD`.
    ///   - base: The currency of the report: what an instrument is quoted in must have a price in it.
    /// - Returns: The benchmark with at least one price in that currency.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError`` when there is no such
    ///   thing, or nothing is stored of it.
    package func benchmark(_ name: String, in base: Asset) throws(StoreError) -> Benchmark {
        func refusal(_ accepted: String) -> StoreError {
            .body(PortfolioRefused(.unknownBenchmark(name, accepted: accepted)))
        }
        let asset = Asset(rawValue: name)
        guard let id = InstrumentID(name) else {
            let found = Benchmark(name, prices: PriceHistory(try dailyCloses(of: [asset], in: base)))
            guard found.price(in: base, at: Timestamp(nanoseconds: .max)) != nil else {
                throw refusal(
                    "an asset with daily closes in \(base), or an instrument such as kraken:BTC/USD")
            }
            return found
        }
        guard let market = try instrument(id) else {
            let known = try instruments().map(\.id)
            throw refusal(
                known.isEmpty
                    ? "an instrument, and none is known yet, since no feed has run"
                    : "an instrument that is known; nearest are \(NearestNames.words(to: id, known: known))")
        }
        let closes = try candles(
            of: id, .day, from: Timestamp(nanoseconds: .min), to: Timestamp(nanoseconds: .max),
            limit: StoredPriceLimits.days)
        guard !closes.isEmpty else {
            throw refusal(
                "an instrument with stored daily closes; `bitpal candles \(id.venue.rawValue) \(id.symbol) "
                    + "--interval 1d --from TIME --backfill` fetches them")
        }
        var prices = try dailyCloses(of: [market.quote], in: base)
        for candle in closes where candle.close.rawValue > 0 {
            let point = PricePoint(
                time: candle.closeTime, price: Amount(candle.close.decimal(candle.priceScale)))
            prices.append((asset, market.quote, point))
        }
        let found = Benchmark(name, prices: PriceHistory(prices))
        guard found.price(in: base, at: Timestamp(nanoseconds: .max)) != nil else {
            throw refusal("an instrument that is quoted in what has a price in \(base)")
        }
        return found
    }
}
