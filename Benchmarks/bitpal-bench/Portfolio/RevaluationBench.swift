import Foundation
import Instruments
import Portfolio

/// 100,000 portfolios of 20 holdings each, revalued as prices come.
enum RevaluationBench {
    private static let portfolios = 100_000
    private static let assets = (0..<200).map { Asset(rawValue: "COIN\($0)") }
    private static let dollar = Asset(rawValue: "USD")

    static func run() -> [Measurement] {
        var valuations = valuations()
        var tick: Int64 = 0
        let all = median(3) {
            tick += 1
            return rate(of: &valuations, assets[...], tick)
        }
        let one = median(3) {
            tick += 1
            return rate(of: &valuations, assets[7...7], tick)
        }
        return [
            Measurement(
                "100,000 portfolios of 20 holdings, every price changes", "holdings/s", all,
                goal: "2,000,000/s a core", meets: all >= 2_000_000),
            Measurement(
                "the same, one price of 200 changes", "holdings/s", one, goal: "2,000,000/s a core",
                meets: one >= 2_000_000),
        ]
    }

    private static func valuations() -> ValuationSet {
        var valuations = ValuationSet()
        for number in 0..<portfolios {
            let holdings = (0..<20).map { index in
                let asset = assets[(number * 7 + index * 11) % assets.count]
                return Holding(Amount(units: Int64(number % 977 + index + 1), places: 8), asset)
            }
            _ = valuations.add(holdings, base: dollar)
        }
        for asset in assets { valuations.update(quote(1, of: asset), of: QuotePair(asset, dollar)) }
        _ = valuations.takeChanged()
        return valuations
    }

    private static func quote(_ tick: Int64, of asset: Asset) -> LiveQuote {
        LiveQuote(
            price: Amount(units: 6_123_456 + tick * 17, places: 2), time: Timestamp(nanoseconds: tick),
            source: "index")
    }

    /// Holdings that were revalued in a second; the portfolios that changed are taken, too.
    private static func rate(of valuations: inout ValuationSet, _ assets: ArraySlice<Asset>, _ tick: Int64)
        -> Double
    {
        let before = valuations.updates
        let started = seconds()
        for asset in assets { valuations.update(quote(tick + 1, of: asset), of: QuotePair(asset, dollar)) }
        let changed = valuations.takeChanged().count
        let elapsed = seconds() - started
        return changed == 0 ? 0 : Double(valuations.updates - before) / elapsed
    }
}
