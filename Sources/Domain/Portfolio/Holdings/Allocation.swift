package import Instruments

/// What part of the whole something is.
package struct AllocationShare: Sendable, Hashable {
    /// The asset, wallet, category or venue.
    package let name: String
    /// What it is worth.
    package let value: Amount
    /// Value / whole, at ``Allocation/places`` places; shares of a whole sum to one.
    package let share: Amount
}

/// How the value of holdings is spread.
package enum Allocation {
    /// Decimal places of a share.
    package static let places = 8

    /// By asset; nothing while a price is missing.
    package static func byAsset(_ valuation: Valuation) -> [AllocationShare] {
        guard valuation.total != nil else { return [] }
        return shares(valuation.positions.map { ($0.holding.asset.rawValue, $0.value ?? .zero) })
    }

    /// By wallet; nothing while a price is missing.
    package static func byWallet(_ balances: [Balance], _ valuation: Valuation) -> [AllocationShare] {
        grouped(balances, valuation, \.wallet)
    }

    /// By venue, see ``WalletVenue``; nothing while a price is missing.
    ///
    /// `areExchanges` says of wallets whether they are accounts at an exchange, as far as that is known.
    package static func byVenue(
        _ balances: [Balance], _ valuation: Valuation, areExchanges: [String: Bool]
    ) -> [AllocationShare] {
        grouped(balances, valuation) { WalletVenue.name(of: $0.wallet, isExchange: areExchanges[$0.wallet]) }
    }

    /// By category of asset, such as "stablecoin"; nothing while a price is missing.
    package static func byCategory(_ balances: [Balance], _ valuation: Valuation) -> [AllocationShare] {
        grouped(balances, valuation) { $0.holding.asset.category }
    }

    private static func grouped(
        _ balances: [Balance], _ valuation: Valuation, _ name: (Balance) -> String
    ) -> [AllocationShare] {
        guard valuation.total != nil else { return [] }
        let prices = Dictionary(
            valuation.positions.map { ($0.holding.asset, $0.price?.price ?? .zero) },
            uniquingKeysWith: { first, _ in first })
        var values: [String: Amount] = [:]
        for balance in balances {
            let price = prices[balance.holding.asset] ?? .zero
            values[name(balance), default: .zero] += balance.holding.amount * price
        }
        // tidy: unordered-iteration `shares` sorts them.
        return shares(values.map { ($0.key, $0.value) })
    }

    /// The largest first; the last takes what rounding leaves.
    private static func shares(_ values: [(String, Amount)]) -> [AllocationShare] {
        let sorted = values.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }
        guard !sorted.reduce(.zero, { $0 + $1.1 }).isZero else { return [] }
        let parts = Amount.one.split(by: sorted.map(\.1), places: places)
        return zip(sorted, parts).map { AllocationShare(name: $0.0, value: $0.1, share: $1) }
    }
}
