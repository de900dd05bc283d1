public import Instruments
import MarketData

/// The volume-weighted median of an asset's markets.
public enum IndexPrice {
    /// A market with what it says and, where its quote asset is another, how that is converted.
    public struct Candidate: Sendable {
        /// The number that the caller gave the market.
        public var market: Int
        /// What it says.
        public var quote: IndexQuote
        /// The pair that converts its quote asset into the index's; `nil` when they are the same.
        public var conversion: AssetPair?
        /// That pair's price; `nil` when it is not available.
        public var rate: DecimalNumber?

        public init(market: Int, quote: IndexQuote, conversion: AssetPair? = nil, rate: DecimalNumber? = nil)
        {
            self.market = market
            self.quote = quote
            self.conversion = conversion
            self.rate = rate
        }
    }

    /// Computes an index.
    ///
    /// 1. Markets count whose book is live, that were heard of within the freshness, and that have a price
    ///    and a volume. A price in another asset is converted by that asset's index and rounded half-even.
    /// 2. With m the plain median of these, markets with |p − m| > bound · m are left out.
    /// 3. By rising price, the first whose volumes so far reach half of all gives the price; where they are
    ///    exactly half, it is the mean with the next, rounded half-even.
    ///
    /// - Parameters:
    ///   - pair: What is priced, in what.
    ///   - candidates: All markets of the index.
    ///   - now: By the clock of the received times.
    ///   - configuration: The bounds.
    /// - Returns: The price, or why there is none; the same for any order of the candidates but for the
    ///   order of the constituents.
    public static func compute(
        _ pair: AssetPair, _ candidates: [Candidate], at now: Timestamp, _ configuration: IndexConfiguration
    ) -> IndexValue {
        var constituents = candidates.map { constituent($0, now, configuration) }
        let believed = constituents.indices.filter { constituents[$0].exclusion == nil }
        guard believed.count >= configuration.minimumMarkets else {
            let reason = IndexUnavailability.tooFewMarkets(
                found: believed.count, needed: configuration.minimumMarkets)
            return IndexValue(pair: pair, price: nil, unavailable: reason, constituents: constituents)
        }
        excludeOutliers(&constituents, believed, bound: configuration.outlierBound)
        let counted = constituents.filter { $0.exclusion == nil }
        guard counted.count >= configuration.minimumMarkets else {
            return IndexValue(
                pair: pair, price: nil, unavailable: .disagreement, constituents: constituents)
        }
        return IndexValue(
            pair: pair, price: weightedMedian(counted), unavailable: nil, constituents: constituents)
    }

    private static func constituent(
        _ candidate: Candidate, _ now: Timestamp, _ configuration: IndexConfiguration
    ) -> IndexConstituent {
        let quote = candidate.quote
        var result = IndexConstituent(market: candidate.market, price: nil, weight: quote.volume)
        guard let price = quote.price, price.units > 0 else {
            result.exclusion = .noPrice
            return result
        }
        if let conversion = candidate.conversion {
            guard let rate = candidate.rate else {
                result.exclusion = .noConversion(conversion)
                return result
            }
            let product = WideDecimal(
                units: Int256(Int128(price.units) * Int128(rate.units)),
                places: price.scale.places + rate.scale.places)
            result.price = product.rounded(to: configuration.scale)
        } else {
            result.price = WideDecimal(price).rounded(to: configuration.scale)
        }
        if result.price == nil {
            result.exclusion = .outOfRange
        } else if quote.state != .live {
            result.exclusion = .notLive(quote.state)
        } else if now.nanoseconds(since: quote.receivedTime) > configuration.freshness {
            result.exclusion = .stale
        } else if quote.volume.map({ $0.units > 0 }) != true {
            result.exclusion = .noVolume
        }
        return result
    }

    private static func excludeOutliers(
        _ constituents: inout [IndexConstituent], _ believed: [Int], bound: Int64
    ) {
        let prices = believed.compactMap { constituents[$0].price?.units }.sorted()
        guard !prices.isEmpty else { return }
        // Twice the median, which is whole.
        let median = Int128(prices[(prices.count - 1) / 2]) + Int128(prices[prices.count / 2])
        for index in believed {
            guard let price = constituents[index].price else { continue }
            let distance = (2 * Int128(price.units) - median).magnitude
            if distance * 10_000 > median.magnitude * UInt128(bound) {
                constituents[index].exclusion = .outlier
            }
        }
    }

    private static func weightedMedian(_ constituents: [IndexConstituent]) -> DecimalNumber? {
        let scale = constituents.compactMap { $0.weight?.scale }.max() ?? .zero
        var rows: [(price: DecimalNumber, weight: Int256)] = []
        var total = Int256.zero
        for constituent in constituents {
            guard let price = constituent.price, let weight = constituent.weight else { continue }
            let factor = Int128(scale.power / weight.scale.power)
            let doubled = Int256(product: Int128(weight.units) * 2, factor)
            rows.append((price, doubled))
            total += Int256(product: Int128(weight.units), factor)
        }
        rows.sort { $0.price.units < $1.price.units }
        var sum = Int256.zero
        for (index, row) in rows.enumerated() {
            sum += row.weight
            guard sum < total else {
                guard sum == total, index + 1 < rows.count else { return row.price }
                let both = Int128(row.price.units) + Int128(rows[index + 1].price.units)
                return ExactRatio(Int256(both), over: Int256(Int128(2))).rounded(to: .zero).map {
                    DecimalNumber(units: $0.units, scale: row.price.scale)
                }
            }
        }
        return nil
    }
}
