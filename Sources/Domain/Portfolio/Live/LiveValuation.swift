public import Instruments

/// What a portfolio is worth now, and which of its prices are missing or not of now.
public struct LiveValuation: Hashable, Sendable {
    /// One asset, over all wallets.
    public struct Position: Hashable, Sendable {
        /// What and how much.
        public var holding: Holding
        /// Its price; `nil` when there never was one.
        public var quote: LiveQuote?
        /// Amount × price; `nil` without a price.
        public var value: Amount? { quote.map { holding.amount * $0.price } }
    }

    /// The currency of all values.
    public var base: Asset
    /// What those with a price are worth.
    public var known: Amount
    /// By asset.
    public var positions: [Position]

    /// Joins what is known.
    public init(base: Asset, known: Amount, positions: [Position]) {
        self.base = base
        self.known = known
        self.positions = positions
    }

    /// What everything is worth; `nil` while a price is missing.
    public var total: Amount? { missing.isEmpty ? known : nil }
    /// Assets without a price.
    public var missing: [Asset] { positions.filter { $0.quote == nil }.map(\.holding.asset) }
    /// Assets whose price is not of now.
    public var stale: [Asset] { positions.filter { $0.quote?.stale != nil }.map(\.holding.asset) }
}
