package import Instruments

/// A price of one unit as it is known now.
package struct LiveQuote: Hashable, Sendable {
    /// Of one unit.
    package var price: Amount
    /// When it was computed or noted.
    package var time: Timestamp
    /// Where it is from, for people.
    package var source: String
    /// Why it is not of now; `nil` when it is.
    package var stale: String?
    /// What stands behind it; of one that is made of several, behind the weakest.
    package var origin: PriceOrigin

    package init(
        price: Amount, time: Timestamp, source: String, stale: String? = nil, origin: PriceOrigin = .proven
    ) {
        self.origin = origin
        self.price = price
        self.time = time
        self.source = source
        self.stale = stale
    }
}

/// What a price is of, and in what.
package struct QuotePair: Hashable, Sendable {
    /// What is priced.
    package var asset: Asset
    /// What the price is in.
    package var currency: Asset

    package init(_ asset: Asset, _ currency: Asset) {
        self.asset = asset
        self.currency = currency
    }
}

/// The prices that are known now, and what follows from them.
struct LiveQuotes: Sendable {
    private(set) var quotes: [QuotePair: LiveQuote] = [:]

    /// By way of which a price is found that nobody states; the first that leads there.
    static let middles = ["USD", "EUR", "USDT", "USDC", "BTC"].map { Asset(rawValue: $0) }

    /// Whether prices of others may follow from prices of the asset.
    static func isMiddle(_ asset: Asset) -> Bool { asset.isCurrency || middles.contains(asset) }

    /// Whether it is news.
    mutating func set(_ pair: QuotePair, _ quote: LiveQuote?) -> Bool {
        guard quotes[pair] != quote else { return false }
        quotes[pair] = quote
        return true
    }

    /// The price of one asset in another: as stated, or by way of one other; `nil` when there is none.
    func quote(_ asset: Asset, _ currency: Asset) -> LiveQuote? {
        if let direct = stated(asset, currency) { return direct }
        for middle in Self.middles where middle != asset && middle != currency {
            guard let first = stated(asset, middle), let second = stated(middle, currency) else { continue }
            return LiveQuote(
                price: first.price * second.price, time: min(first.time, second.time),
                source: "\(first.source), \(second.source)", stale: first.stale ?? second.stale,
                origin: max(first.origin, second.origin))
        }
        // A coin in dollars, dollars in euros, euros in francs.
        let (dollar, euro) = (Self.middles[0], Self.middles[1])
        guard asset != dollar, currency != euro, let first = stated(asset, dollar),
            let second = stated(dollar, euro), let third = stated(euro, currency)
        else { return nil }
        return LiveQuote(
            price: first.price * second.price * third.price, time: min(first.time, second.time, third.time),
            source: "\(first.source), \(second.source), \(third.source)",
            stale: first.stale ?? second.stale ?? third.stale,
            origin: max(first.origin, second.origin, third.origin))
    }

    private func stated(_ asset: Asset, _ currency: Asset) -> LiveQuote? {
        if let quote = quotes[QuotePair(asset, currency)] { return quote }
        guard let inverse = quotes[QuotePair(currency, asset)],
            let price = Amount.one.divided(by: inverse.price, places: PriceHistory.places)
        else { return nil }
        return LiveQuote(
            price: price, time: inverse.time, source: inverse.source, stale: inverse.stale,
            origin: inverse.origin)
    }
}
