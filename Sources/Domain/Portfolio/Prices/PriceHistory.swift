package import Instruments

/// A price of an asset in a currency, and when it was so.
package struct PricePoint: Hashable, Sendable {
    /// From when on it is known.
    package var time: Timestamp
    /// Of one unit.
    package var price: Amount

    package init(time: Timestamp, price: Amount) {
        self.time = time
        self.price = price
    }
}

/// Known prices, in order of time; a price holds until the next one.
package struct PriceHistory: Sendable {
    private struct Pair: Hashable {
        var asset: Asset
        var currency: Asset
    }
    private var points: [Pair: [PricePoint]] = [:]
    private var currencies: [Asset: [Asset]] = [:]

    /// Decimal places of a price that has to be divided, as for the inverse of a rate.
    package static let places = 24

    package init() {}

    /// Takes prices in any order; of two at the same time the later one in the input holds.
    package init(_ rows: [(asset: Asset, currency: Asset, point: PricePoint)]) {
        for row in rows {
            points[Pair(asset: row.asset, currency: row.currency), default: []].append(row.point)
        }
        // tidy: unordered-iteration The currencies of an asset are sorted below.
        for (pair, unsorted) in points {
            let sorted = unsorted.enumerated()
                .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            points[pair] = sorted.map(\.element)
            currencies[pair.asset, default: []].append(pair.currency)
        }
        for asset in currencies.keys { currencies[asset]?.sort { $0.rawValue < $1.rawValue } }
    }

    /// Adds a price that is newer than all others of the pair; `false` says that it is older and left out.
    @discardableResult
    package mutating func add(_ point: PricePoint, of asset: Asset, in currency: Asset) -> Bool {
        let pair = Pair(asset: asset, currency: currency)
        guard points[pair]?.last.map({ $0.time <= point.time }) ?? true else { return false }
        if points[pair] == nil {
            currencies[asset, default: []].append(currency)
            currencies[asset]?.sort { $0.rawValue < $1.rawValue }
        }
        points[pair, default: []].append(point)
        return true
    }

    /// All prices by asset, currency and time: read again, they give the same.
    package var series: [(asset: Asset, currency: Asset, points: [PricePoint])] {
        points.map { (asset: $0.key.asset, currency: $0.key.currency, points: $0.value) }.sorted {
            ($0.asset.rawValue, $0.currency.rawValue) < ($1.asset.rawValue, $1.currency.rawValue)
        }
    }

    /// The time of the newest price; `nil` of none.
    package var lastTime: Timestamp? { points.values.compactMap { $0.last?.time }.max() }

    /// The price of one `asset` in `currency` as known at `time`, and when it was noted.
    ///
    /// Looks for the pair, then its inverse, then by way of one other currency, then of two: a coin in a
    /// stablecoin, that in dollars, dollars in francs. `nil` when none was known: a later price is never
    /// taken for an earlier one.
    package func price(of asset: Asset, in currency: Asset, at time: Timestamp) -> PricePoint? {
        if asset == currency { return PricePoint(time: time, price: .one) }
        if let direct = known(asset, currency, time) { return direct }
        for middle in currencies[asset] ?? [] where middle != currency {
            guard let first = known(asset, middle, time), let second = known(middle, currency, time) else {
                continue
            }
            return PricePoint(time: min(first.time, second.time), price: first.price * second.price)
        }
        for middle in currencies[asset] ?? [] where middle != currency {
            guard let first = known(asset, middle, time) else { continue }
            for other in currencies[middle] ?? [] where other != currency && other != asset {
                guard let second = known(middle, other, time), let third = known(other, currency, time) else {
                    continue
                }
                return PricePoint(
                    time: min(first.time, second.time, third.time),
                    price: first.price * second.price * third.price)
            }
        }
        return nil
    }

    private func known(_ asset: Asset, _ currency: Asset, _ time: Timestamp) -> PricePoint? {
        if let point = last(Pair(asset: asset, currency: currency), time) { return point }
        guard let inverse = last(Pair(asset: currency, currency: asset), time),
            let price = Amount.one.divided(by: inverse.price, places: PriceHistory.places)
        else { return nil }
        return PricePoint(time: inverse.time, price: price)
    }

    private func last(_ pair: Pair, _ time: Timestamp) -> PricePoint? {
        guard let points = points[pair] else { return nil }
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : points[low - 1]
    }
}
