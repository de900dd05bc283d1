package import Instruments
package import Portfolio
package import Shapes

/// A price of the moment, in the currency of a valuation, and where it is from.
package struct LivePrice: Hashable, Sendable {
    package var asset: Asset
    package var currency: Asset
    /// The price and when it was so.
    package var point: PricePoint
    /// Such as `index BTC-USD`.
    package var source: String

    /// Reads what a valuation says; `nil` when the price is none.
    package init?(asset: String, currency: String, price: String, time: Timestamp, source: String) {
        guard let price = try? Amount(parsing: price), price.isPositive else { return nil }
        self.asset = Asset(rawValue: asset)
        self.currency = Asset(rawValue: currency)
        point = PricePoint(time: time, price: price)
        self.source = source
    }
}

extension LivePrice: WireBody {
    package static let shape = BodyShape<LivePrice>("LivePrice", "A price of the moment.") {
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("currency", \.currency.rawValue, "In which the price is.", example: "USD")
        Field("price", \.point.price, "Of one.", example: "61000")
        Field("time", \.point.time.plain, "When it was so.", as: .time, example: "2026-11-21T12:00:00Z")
        Field("source", \.source, "Where it is from.", example: "index BTC-USD")
    }
}

extension PriceHistory {
    /// Takes prices of the moment in a currency, and says where those are from.
    ///
    /// Prices in another currency are left out, and so are those older than one that is known.
    package mutating func take(_ live: [LivePrice], in base: Asset) -> [Asset: String] {
        var sources: [Asset: String] = [:]
        for price in live where price.currency == base {
            let known = self.price(of: price.asset, in: base, at: price.point.time)
            guard known.map({ $0.time <= price.point.time }) ?? true,
                add(price.point, of: price.asset, in: base)
            else { continue }
            sources[price.asset] = price.source
        }
        return sources
    }
}
