import Instruments
import MarketStore
import Portfolio
import Store

/// Which markets tell what a portfolio is worth.
struct FollowedMarkets {
    /// Enough of each asset that one venue may fail.
    private static let marketsPerAsset = 2
    /// In what an asset is priced, the best first, after the portfolio's own currency.
    private static let quotes = ["USD", "USDT", "USDC", "EUR", "BTC"].map { Asset(rawValue: $0) }
    private static let dollar = Asset(rawValue: "USD")

    private let markets: [Asset: [Instrument]]
    private let base: Asset

    init(_ instruments: [Instrument], base: Asset) {
        markets = Dictionary(grouping: instruments.filter { $0.kind == .spot }, by: \.base)
        self.base = base
    }

    /// Of what the markets are to be known: some assets, and what they may be priced in.
    static func bases(of assets: Set<Asset>) -> [String] {
        assets.union(quotes).filter { !$0.isCurrency }.map(\.rawValue).sorted()
    }

    /// The spot markets of some assets, and of the stablecoins that they are priced in.
    func following(_ assets: some Sequence<Asset>) -> Set<InstrumentID> {
        var ids: Set<InstrumentID> = []
        for asset in assets where !asset.isCurrency && asset != base {
            let chosen = best(of: asset)
            ids.formUnion(chosen.map(\.id))
            for quote in Set(chosen.map(\.quote)) where !quote.isCurrency {
                ids.formUnion(
                    best(of: quote).filter { $0.quote == Self.dollar || $0.quote == base }.map(\.id))
            }
        }
        return ids
    }

    private func best(of asset: Asset) -> ArraySlice<Instrument> {
        let order = [base] + Self.quotes
        let ranked = (markets[asset] ?? []).compactMap { market in
            order.firstIndex(of: market.quote).map { (rank: $0, market: market) }
        }
        return ranked.sorted { left, right in
            left.rank != right.rank
                ? left.rank < right.rank : left.market.id.description < right.market.id.description
        }.map(\.market).prefix(Self.marketsPerAsset)
    }
}

extension Session {
    /// Asks the feeds for the markets of what a portfolio holds now, and for no others.
    func followMarkets(
        of portfolio: StoredPortfolio, holding held: Set<Asset>, at now: Timestamp
    ) throws(StoreError) {
        let name = "portfolio:\(portfolio.id)"
        let known = try subscriptions(wantedBy: name)
        let bases = FollowedMarkets.bases(of: held)
        let markets = FollowedMarkets(try instruments(ofBases: bases, .spot), base: portfolio.base)
        let wanted = markets.following(held)
        // In one order, so that two of these never wait for each other.
        for id in wanted.subtracting(known.map(\.instrument)).sorted(by: { $0.description < $1.description })
        {
            try execute(
                .addSubscription(
                    Subscription(instrument: id, channels: ["book", "trade", "ticker"], wantedBy: name),
                    at: now))
        }
        for subscription in known where !wanted.contains(subscription.instrument) {
            try execute(.removeSubscription(subscription.instrument, wantedBy: name))
        }
    }
}
