public import Instruments

/// What an owner wants, how far off it is, and what would restore it.
public struct Rebalancing: Sendable {
    /// How far one asset is from its target.
    public struct Drift: Sendable {
        /// The asset.
        public let asset: Asset
        /// Its share now, of the whole.
        public let share: Amount
        /// Its share as wanted.
        public let target: Amount
        /// Share less target.
        public var drift: Amount { share - target }
    }

    /// One trade against the base currency.
    public struct Trade: Sendable, Hashable {
        /// The asset.
        public let asset: Asset
        /// Whether it is bought.
        public let isBuy: Bool
        /// How much, rounded down to the asset's step.
        public let amount: Amount
        /// What it is worth, before the fee.
        public let value: Amount
        /// What it costs to trade.
        public let fee: Amount
    }

    /// What bounds the trades.
    public struct Limits: Sendable {
        /// Part of a trade's value that is paid as a fee, such as 0.001.
        public var feeRate: Amount
        /// Trades below this value are left out.
        public var minimumValue: Amount
        /// Assets that drift no further than this from their target are left alone.
        public var tolerance: Amount
        /// Decimal places of an asset's amounts; 8 where none are given.
        public var places: [Asset: Int]

        /// Describes bounds.
        public init(
            feeRate: Amount = .zero, minimumValue: Amount = .zero, tolerance: Amount = .zero,
            places: [Asset: Int] = [:]
        ) {
            self.feeRate = feeRate
            self.minimumValue = minimumValue
            self.tolerance = tolerance
            self.places = places
        }
    }

    /// Every asset that is held or wanted, the furthest above its target first.
    public let drifts: [Drift]
    /// Sales first, the largest first: one trade at most for each asset, as fewer cannot restore targets.
    public let trades: [Trade]
    /// Assets that are wanted and have no price.
    public let missingPrices: [Asset]

    /// Compares a valuation with targets.
    ///
    /// - Parameters:
    ///   - valuation: What is held. While one of its prices is missing, there are no trades.
    ///   - targets: Shares of the whole that sum to at most one; the rest is wanted in the base currency.
    ///   - prices: For assets that are wanted and not held.
    ///   - limits: Fees, minimum sizes and tolerance.
    public init(
        _ valuation: Valuation, targets: [Asset: Amount], prices: PriceBook, limits: Limits = Limits()
    ) {
        let held = Dictionary(
            valuation.positions.map { ($0.holding.asset, $0) }, uniquingKeysWith: { first, _ in first })
        let assets = Set(targets.keys).union(held.keys).subtracting([valuation.base])
            .sorted { $0.rawValue < $1.rawValue }
        let total = valuation.total ?? .zero
        drifts = assets.map { asset in
            let value = held[asset]?.value ?? .zero
            return Drift(
                asset: asset, share: value.divided(by: total, places: Allocation.places) ?? .zero,
                target: targets[asset] ?? .zero)
        }.sorted { $0.drift > $1.drift }
        let known = assets.map { ($0, prices.price(of: $0, in: valuation.base, at: valuation.time)?.price) }
        missingPrices = known.filter { $0.1 == nil }.map(\.0)
        guard missingPrices.isEmpty, total.isPositive else {
            trades = []
            return
        }
        let byName = Dictionary(known.map { ($0.0, $0.1 ?? .zero) }, uniquingKeysWith: { first, _ in first })
        trades = drifts.compactMap { drift in
            guard drift.drift.magnitude > limits.tolerance, let price = byName[drift.asset] else {
                return nil
            }
            let wanted = total * drift.target
            let value = held[drift.asset]?.value ?? .zero
            return Rebalancing.trade(drift.asset, wanted - value, price, limits)
        }.sorted { $0.isBuy == $1.isBuy ? $0.value > $1.value : !$0.isBuy }
    }

    private static func trade(_ asset: Asset, _ change: Amount, _ price: Amount, _ limits: Limits) -> Trade? {
        let places = limits.places[asset] ?? 8
        let isBuy = change.isPositive
        // What a purchase may cost includes its fee.
        let cost = isBuy ? price * (.one + limits.feeRate) : price
        guard let exact = change.magnitude.divided(by: cost, places: places + 8) else { return nil }
        var amount = exact.rounded(places: places)
        if amount > exact { amount -= Amount(units: 1, places: places) }
        let value = amount * price
        guard amount.isPositive, value >= limits.minimumValue else { return nil }
        return Trade(
            asset: asset, isBuy: isBuy, amount: amount, value: value, fee: value * limits.feeRate)
    }
}
