package import Instruments

/// What an owner wants, how far off it is, and what would restore it.
package struct Rebalancing: Sendable {
    /// How far one asset is from its target.
    package struct Drift: Sendable {
        package let asset: Asset
        /// Its share now, of the whole.
        package let share: Amount
        /// Its share as wanted.
        package let target: Amount
        /// Share less target.
        package var drift: Amount { share - target }
    }

    /// One trade against the base currency.
    package struct Trade: Sendable, Hashable {
        package let asset: Asset
        /// Whether it is bought.
        package let isBuy: Bool
        /// How much, rounded down to the asset's step.
        package let amount: Amount
        /// What it is worth, before the fee.
        package let value: Amount
        /// What it costs to trade.
        package let fee: Amount
    }

    /// What bounds the trades.
    package struct Limits: Sendable {
        /// Part of a trade's value that is paid as a fee, such as 0.001.
        package var feeRate: Amount
        /// Trades below this value are left out.
        package var minimumValue: Amount
        /// Assets that drift no further than this from their target are left alone.
        package var tolerance: Amount
        /// Decimal places of an asset's amounts; 8 where none are given.
        package var places: [Asset: Int]

        package init(
            feeRate: Amount = .zero, minimumValue: Amount = .zero, tolerance: Amount = .zero,
            places: [Asset: Int] = [:]
        ) {
            self.feeRate = feeRate
            self.minimumValue = minimumValue
            self.tolerance = tolerance
            self.places = places
        }
    }

    /// Every asset that is held or wanted, the furthest above its target first; among them the base currency,
    /// so that both shares and targets sum to one, also where money is owed.
    package let drifts: [Drift]
    /// Sales first, the largest first: one trade at most for each asset, as fewer cannot restore targets.
    package let trades: [Trade]
    /// Assets that are wanted and have no price.
    package let missingPrices: [Asset]

    /// Compares a valuation with targets.
    ///
    /// - Parameters:
    ///   - valuation: What is held. While one of its prices is missing, there are no trades.
    ///   - targets: Shares of the whole that sum to at most one; the rest is wanted in the base currency.
    ///   - prices: For assets that are wanted and not held.
    ///   - limits: Fees, minimum sizes and tolerance.
    package init(
        _ valuation: Valuation, targets: [Asset: Amount], prices: PriceHistory, limits: Limits = Limits()
    ) {
        let held = Dictionary(
            valuation.positions.map { ($0.holding.asset, $0) }, uniquingKeysWith: { first, _ in first })
        let assets = Set(targets.keys).union(held.keys).subtracting([valuation.base])
            .sorted { $0.rawValue < $1.rawValue }
        let total = valuation.total ?? .zero
        let traded = assets.map { asset in
            let value = held[asset]?.value ?? .zero
            return Drift(
                asset: asset, share: value.divided(by: total, places: Allocation.places) ?? .zero,
                target: targets[asset] ?? .zero)
        }
        drifts = (traded + [Rebalancing.rest(of: traded, in: valuation.base, isWhole: !total.isZero)])
            .sorted { $0.drift > $1.drift }
        let known = assets.map { ($0, prices.price(of: $0, in: valuation.base, at: valuation.time)?.price) }
        missingPrices = known.filter { $0.1 == nil }.map(\.0)
        guard missingPrices.isEmpty, total.isPositive else {
            trades = []
            return
        }
        let byName = Dictionary(known.map { ($0.0, $0.1 ?? .zero) }, uniquingKeysWith: { first, _ in first })
        let moves = traded.filter { $0.drift.magnitude > limits.tolerance }.map { drift in
            Move(
                asset: drift.asset, value: held[drift.asset]?.value ?? .zero, target: drift.target,
                price: byName[drift.asset] ?? .zero)
        }
        trades = Rebalancing.trades(moves, total, cash: held[valuation.base]?.value ?? .zero, limits)
    }

    /// The base currency, which is what the others leave of the whole.
    private static func rest(of others: [Drift], in base: Asset, isWhole: Bool) -> Drift {
        let share = others.reduce(Amount.one) { $0 - $1.share }
        let target = others.reduce(Amount.one) { $0 - $1.target }
        return Drift(asset: base, share: isWhole ? share : .zero, target: target)
    }

    /// One asset that is to be traded.
    private struct Move {
        var asset: Asset
        var value: Amount
        var target: Amount
        var price: Amount

        /// What is to be bought, below zero for what is to be sold, of a whole.
        func change(of whole: Amount) -> Amount { whole * target - value }
    }

    private static func trades(_ moves: [Move], _ total: Amount, cash: Amount, _ limits: Limits) -> [Trade] {
        let whole = wholeAfterFees(moves, total, limits.feeRate)
        let sales = moves.filter { $0.change(of: whole).isNegative }
            .compactMap { trade($0, whole, limits, isBuy: false) }
        // What is bought is paid by what is there and what the sales bring, fees taken off.
        let paid = sales.reduce(max(cash, .zero)) { $0 + $1.value - $1.fee }
        let exact = moves.filter {
            $0.change(of: whole).isPositive && trade($0, whole, limits, isBuy: true) != nil
        }
        var purchases = exact.compactMap { trade($0, whole, limits, isBuy: true) }
        if purchases.reduce(Amount.zero, { $0 + $1.value + $1.fee }) > paid {
            // Of what they cost before anything is rounded down: else the parts are a little too large.
            let cost = exact.reduce(Amount.zero) { $0 + $1.change(of: whole) * (.one + limits.feeRate) }
            purchases = exact.compactMap { trade($0, whole, limits, isBuy: true, part: (paid, cost)) }
        }
        return sales.sorted { $0.value > $1.value } + purchases.sorted { $0.value > $1.value }
    }

    /// Fees make the whole smaller, and a smaller whole needs other trades: each round shrinks the difference
    /// by the fee's rate.
    private static func wholeAfterFees(_ moves: [Move], _ total: Amount, _ rate: Amount) -> Amount {
        guard rate.isPositive else { return total }
        var whole = total
        for _ in 0..<64 {
            let moved = moves.reduce(Amount.zero) { $0 + $1.change(of: whole).magnitude }
            let next = max(total - moved * rate, .zero).rounded(places: LotAccounting.places)
            if next == whole { break }
            whole = next
        }
        return whole
    }

    /// A trade rounded down to the asset's step; `nil` when it is too small.
    private static func trade(
        _ move: Move, _ whole: Amount, _ limits: Limits, isBuy: Bool,
        part: (of: Amount, whole: Amount) = (.one, .one)
    ) -> Trade? {
        let places = limits.places[move.asset] ?? 8
        let change = move.change(of: whole).magnitude * part.of
        guard let exact = change.divided(by: move.price * part.whole, places: places + 8) else { return nil }
        var amount = exact.rounded(places: places)
        if amount > exact { amount -= Amount(units: 1, places: places) }
        let value = amount * move.price
        guard amount.isPositive, value >= limits.minimumValue else { return nil }
        return Trade(
            asset: move.asset, isBuy: isBuy, amount: amount, value: value, fee: value * limits.feeRate)
    }

    /// What is wrong with targets, in words; `nil` when they are shares of a whole.
    package static func fault(in targets: [Asset: Amount]) -> String? {
        for (asset, share) in targets.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where share.isNegative || share > .one {
            return "\(asset)=\(share): a share is 0 to 1"
        }
        let sum = targets.values.reduce(Amount.zero, +)
        return sum > .one ? "the shares are \(sum) in all: at most 1" : nil
    }
}
