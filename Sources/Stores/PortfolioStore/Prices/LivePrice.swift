public import Instruments
public import Portfolio

/// A price of the moment, in the currency of a valuation, and where it is from.
public struct LivePrice: Hashable, Sendable {
    /// Of which asset.
    public var asset: Asset
    /// In which currency.
    public var currency: Asset
    /// The price and when it was so.
    public var point: PricePoint
    /// Such as `index BTC-USD`.
    public var source: String

    /// Reads what a valuation says; `nil` when the price is none.
    public init?(asset: String, currency: String, price: String, time: Timestamp, source: String) {
        guard let price = try? Amount(parsing: price), price.isPositive else { return nil }
        self.asset = Asset(rawValue: asset)
        self.currency = Asset(rawValue: currency)
        point = PricePoint(time: time, price: price)
        self.source = source
    }
}

extension StoredLedger {
    /// Values by prices of the moment where there are any, else by the daily closes.
    ///
    /// Prices in another currency than the ledger's are left out, and so are those older than a close.
    public mutating func take(_ live: [LivePrice]) {
        for price in live where price.currency == base {
            let known = prices.price(of: price.asset, in: base, at: price.point.time)
            guard known.map({ $0.time <= price.point.time }) ?? true else { continue }
            prices.add(price.point, of: price.asset, in: base)
            sources[price.asset] = price.source
        }
    }
}
