package import Instruments

/// What a portfolio is worth now, and which of its prices are missing or not of now.
package struct LiveValuation: Hashable, Sendable {
    /// One asset, over all wallets.
    package struct Position: Hashable, Sendable {
        package var holding: Holding
        /// Its price; `nil` when there never was one.
        package var quote: LiveQuote?
        /// Amount × price; `nil` without a price.
        package var value: Amount? { quote.map { holding.amount * $0.price } }
    }

    /// The currency of all values.
    package var base: Asset
    /// What those with a price are worth.
    package var known: Amount
    /// By asset.
    package var positions: [Position]

    /// Joins what is known.
    package init(base: Asset, known: Amount, positions: [Position]) {
        self.base = base
        self.known = known
        self.positions = positions
    }

    /// What everything is worth; `nil` while a price is missing.
    package var total: Amount? { missing.isEmpty ? known : nil }
    /// Assets without a price.
    package var missing: [Asset] { positions.filter { $0.quote == nil }.map(\.holding.asset) }
    /// Assets whose price is not of now.
    package var stale: [Asset] { positions.filter { $0.quote?.stale != nil }.map(\.holding.asset) }
}
