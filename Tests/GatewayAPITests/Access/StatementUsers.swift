import Store

/// Which services run a statement of the tree; the first line that fits it says so.
///
/// A statement without a line fails the test: whoever adds one says here who runs it, and in `AccessList`
/// that they may.
struct StatementUsers {
    /// How the path begins, below `Sources/`.
    var place: String
    /// What the statement contains; empty for any.
    var text: String
    /// None where only commands and the migration run it, as the owner.
    var services: Set<ServiceRole>

    init(_ place: String, _ services: Set<ServiceRole>, where text: String = "") {
        self.place = place
        self.text = text
        self.services = services
    }

    /// Who runs a statement; `nil` where no line fits.
    static func services(of query: TreeQueries.Found) -> Set<ServiceRole>? {
        all.first { line in
            query.path.hasPrefix("Sources/" + line.place) && query.text.contains(line.text)
        }?.services
    }

    static let all: [StatementUsers] = market + owned

    private static let everybody = Set(ServiceRole.allCases)
    private static let evaluating: Set<ServiceRole> = [.bookBuilder, .alertEvaluator, .portfolioService]
    private static let sharing = evaluating.union([.feedIngestor])

    private static let market: [StatementUsers] = [
        .init("Adapters/Hosting/", everybody),
        .init("Stores/MarketStore/Reports/", []),
        .init(
            "Stores/MarketStore/Assets/AssetQueries.swift", [.bookBuilder, .gateway], where: "rank NULLS LAST"
        ),
        .init(
            "Stores/MarketStore/Assets/TrendingRows.swift", [.bookBuilder, .gateway], where: "SELECT t.hour"),
        .init("Stores/MarketStore/Assets/", [.bookBuilder]),
        .init("Stores/MarketStore/Books/", [.bookBuilder]),
        .init("Stores/MarketStore/Candles/AggregateTrades.swift", []),
        .init("Stores/MarketStore/Candles/TradeStatistics.swift", []),
        .init("Stores/MarketStore/Candles/RollCandles.swift", []),
        .init("Stores/MarketStore/Candles/CandleRuns.swift", [.portfolioService], where: "min(start)"),
        .init("Stores/MarketStore/Candles/CandleRuns.swift", [.gateway]),
        .init("Stores/MarketStore/Candles/CandleQueries.swift", [.bookBuilder], where: "flags & 4 = 0"),
        .init("Stores/MarketStore/Candles/CandleQueries.swift", [], where: "market.trade"),
        .init("Stores/MarketStore/Candles/CandleQueries.swift", [.gateway], where: "newest.*"),
        .init("Stores/MarketStore/Candles/CandleQueries.swift", evaluating.union([.gateway])),
        .init("Stores/MarketStore/Candles/", [.bookBuilder, .portfolioService]),
        .init("Stores/MarketStore/Coins/", [.bookBuilder]),
        .init("Stores/MarketStore/Instruments/StoreInstruments.swift", [.feedIngestor]),
        .init("Stores/MarketStore/Instruments/Listings.swift", [.gateway], where: "DISTINCT"),
        .init("Stores/MarketStore/Instruments/Listings.swift", [.alertEvaluator, .gateway]),
        .init(
            "Stores/MarketStore/Instruments/InstrumentQueries.swift", [.bookBuilder], where: "market.trade"),
        .init("Stores/MarketStore/Instruments/", everybody),
        .init("Stores/MarketStore/Leases/TendLeases.swift", [.notifier], where: "DELETE FROM market.member"),
        .init("Stores/MarketStore/Leases/TendLeases.swift", evaluating),
        .init(
            "Stores/MarketStore/Leases/LeaseQueries.swift", sharing.union([.gateway]),
            where: "SELECT instance"),
        .init(
            "Stores/MarketStore/Leases/LeaseQueries.swift", sharing.union([.notifier]),
            where: "market.member"),
        .init("Stores/MarketStore/Leases/SharedVenues.swift", [.feedIngestor]),
        .init("Stores/MarketStore/Leases/", sharing),
        .init("Stores/MarketStore/Partitions/", [.feedIngestor, .bookBuilder], where: "ensure_trade"),
        .init("Stores/MarketStore/Partitions/", [.bookBuilder, .portfolioService], where: "ensure_candle"),
        .init("Stores/MarketStore/Partitions/", [.bookBuilder]),
        .init("Stores/MarketStore/Subscriptions/", [.gateway], where: "ANY ("),
        .init(
            "Stores/MarketStore/Subscriptions/",
            [.feedIngestor, .alertEvaluator, .portfolioService, .gateway], where: "DELETE"),
        .init("Stores/MarketStore/Subscriptions/", [.feedIngestor, .portfolioService, .gateway]),
        .init("Stores/MarketStore/Tasks/", [.bookBuilder]),
        .init("Stores/MarketStore/Trades/TradeHoles.swift", [.feedIngestor], where: "INSERT"),
        .init("Stores/MarketStore/Trades/TradeHoles.swift", [.bookBuilder]),
        .init("Stores/MarketStore/Trades/TradeMinutes.swift", [.bookBuilder]),
        .init("Stores/MarketStore/Trades/TradeQueries.swift", [], where: "count(*)"),
        .init("Stores/MarketStore/Trades/TradeQueries.swift", [.feedIngestor], where: "newest.*"),
        .init("Stores/MarketStore/Trades/TradeQueries.swift", [.bookBuilder, .alertEvaluator, .gateway]),
        .init("Stores/MarketStore/Trades/", [.feedIngestor]),
    ]

    private static let owned: [StatementUsers] = [
        .init("Stores/AccountStore/", [.gateway]),
        .init("Stores/AlertStore/Evaluation/StoredEvaluation.swift", [.alertEvaluator, .gateway]),
        .init("Stores/AlertStore/Evaluation/", [.alertEvaluator]),
        .init("Stores/AlertStore/Retention/", [.alertEvaluator]),
        .init("Stores/AlertStore/Firings/FireRules.swift", [.alertEvaluator, .gateway]),
        .init("Stores/AlertStore/Rules/Session+Rules.swift", [.alertEvaluator], where: "(change, rule"),
        .init("Stores/AlertStore/Rules/Session+Rules.swift", [.alertEvaluator], where: "SELECT change"),
        .init("Stores/AlertStore/Rules/Session+Rules.swift", [.alertEvaluator], where: "shard = ANY"),
        .init("Stores/AlertStore/Deliveries/Session+Outbox.swift", [.alertEvaluator]),
        .init("Stores/AlertStore/Deliveries/OutboxNotice.swift", [.alertEvaluator], where: "WITH said"),
        .init("Stores/AlertStore/Deliveries/OutboxNotice.swift", [.notifier, .gateway]),
        .init("Stores/AlertStore/Deliveries/Database+Claim.swift", [.notifier]),
        .init("Stores/AlertStore/Deliveries/Pace.swift", [.notifier]),
        .init("Stores/AlertStore/Deliveries/Query+Attempts.swift", [.notifier]),
        .init("Stores/AlertStore/Deliveries/Session+Digests.swift", [.notifier]),
        .init("Stores/AlertStore/Deliveries/Session+Badges.swift", [.notifier], where: "SELECT count"),
        .init("Stores/AlertStore/", [.gateway]),
        .init("Stores/PortfolioStore/Rates/", [.portfolioService], where: "DISTINCT ON"),
        .init("Stores/PortfolioStore/Rates/", [.portfolioService], where: "INSERT"),
        .init("Stores/PortfolioStore/Rates/", [.portfolioService, .gateway]),
        .init("Stores/PortfolioStore/Settings/PortfolioDays.swift", [.gateway], where: "DELETE"),
        .init(
            "Stores/PortfolioStore/Settings/PortfolioDays.swift", [.portfolioService, .gateway],
            where: "SELECT day, value, inflow, outflow FROM portfolio"),
        .init("Stores/PortfolioStore/Settings/PortfolioDays.swift", [.portfolioService]),
        .init(
            "Stores/PortfolioStore/Settings/LotSettings.swift", [.portfolioService, .gateway], where: "SELECT"
        ),
        .init(
            "Stores/PortfolioStore/Portfolios/PortfolioQueries.swift",
            [.portfolioService, .alertEvaluator, .gateway], where: "name = "),
        .init(
            "Stores/PortfolioStore/Portfolios/PortfolioQueries.swift", [.portfolioService], where: "ANY ("),
        .init("Stores/PortfolioStore/Portfolios/PortfolioQueries.swift", [.gateway]),
        .init(
            "Stores/PortfolioStore/Transactions/TransactionQueries.swift", [.portfolioService, .gateway],
            where: "SELECT"),
        .init("Stores/PortfolioStore/", [.gateway]),
        .init("Stores/InstallationStore/Secrets/", [.gateway], where: "accounts."),
        .init("Stores/InstallationStore/Secrets/", [.notifier, .gateway]),
        .init("Stores/InstallationStore/", [.gateway]),
        .init("Services/Gateway", [.gateway]),
    ]
}
