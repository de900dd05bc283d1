package import Instruments

/// What holdings are worth at a moment, and which of them nobody knows a price for.
package struct Valuation: Sendable {
    /// One asset, over all wallets.
    package struct Position: Sendable {
        package let holding: Holding
        /// What the open lots cost; money costs itself.
        package let costBasis: Amount?
        /// The price of one, and when it was noted; `nil` when none is known.
        package let price: PricePoint?
        /// Whether the price is older than ``Valuation/staleAfter``.
        package let isStale: Bool
        /// Amount × price; `nil` when no price is known.
        package let value: Amount?
        /// Value less cost; `nil` for money, and when no price is known.
        package var unrealized: Amount? {
            guard let value, let costBasis else { return nil }
            return value - costBasis
        }
    }

    package let time: Timestamp
    /// The currency of all values.
    package let base: Asset
    /// One for each asset that is held, in order of name.
    package let positions: [Position]

    /// A price older than this is marked: four days bridge a weekend with a holiday.
    package static let staleAfter: Int64 = 4 * 86_400_000_000_000

    /// Values the end of a report at a moment.
    package init(_ report: LotReport, prices: PriceHistory, at time: Timestamp) {
        self.time = time
        base = report.base
        var amounts: [Asset: Amount] = [:]
        var costs: [Asset: Amount] = [:]
        for balance in report.balances {
            amounts[balance.holding.asset, default: .zero] += balance.holding.amount
        }
        for lot in report.lots { costs[lot.holding.asset, default: .zero] += lot.costBasis }
        positions = amounts.filter { !$0.value.isZero }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { asset, amount in
                let price = prices.price(of: asset, in: report.base, at: time)
                return Position(
                    holding: Holding(amount, asset), costBasis: asset.isCurrency ? nil : costs[asset],
                    price: price,
                    isStale: price.map { time.nanoseconds(since: $0.time) > Valuation.staleAfter } ?? false,
                    value: price.map { amount * $0.price })
            }
    }

    /// Assets that are held and have no price.
    package var missingPrices: [Asset] { positions.filter { $0.price == nil }.map(\.holding.asset) }

    /// What everything is worth; `nil` when a price is missing.
    package var total: Amount? {
        missingPrices.isEmpty ? knownTotal : nil
    }

    /// What those with a price are worth.
    package var knownTotal: Amount { positions.reduce(.zero) { $0 + ($1.value ?? .zero) } }

    /// What the coins are worth, all that has lots; `nil` when a price of one is missing.
    package var coinValue: Amount? { worth { $0.costBasis != nil } }

    /// What the coins cost, so that this and ``unrealized`` are ``coinValue``.
    package var coinCost: Amount { positions.reduce(.zero) { $0 + ($1.costBasis ?? .zero) } }

    /// What is money, so that this and ``coinValue`` are ``total``; `nil` when a rate of it is missing.
    package var moneyValue: Amount? { worth { $0.costBasis == nil } }

    private func worth(of isPart: (Position) -> Bool) -> Amount? {
        let parts = positions.filter(isPart)
        guard parts.allSatisfy({ $0.value != nil }) else { return nil }
        return parts.reduce(.zero) { $0 + ($1.value ?? .zero) }
    }

    /// Gains not yet realized; `nil` when a price of a coin is missing.
    package var unrealized: Amount? {
        var sum = Amount.zero
        for position in positions where position.costBasis != nil {
            guard let part = position.unrealized else { return nil }
            sum += part
        }
        return sum
    }
}
