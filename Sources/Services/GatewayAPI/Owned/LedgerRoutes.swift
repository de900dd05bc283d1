import Accounts
import GatewayFrame
import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes
import Store

/// All that a report of a portfolio reckons with.
private struct PortfolioLedger: WireBody {
    static let shape = BodyShape<PortfolioLedger>("PortfolioLedger") {
        Field("portfolio", \.portfolio)
        Field(all: \.document)
    }

    var portfolio: StoredPortfolio
    var document: LedgerDocument
}

extension Gateway {
    private static let recorded = Parameter.time(
        "as_recorded", "Transactions and lot settings as they were recorded at this time.")
    private static let base = Parameter(
        "base", "The currency of the report; the portfolio's unless said otherwise.", .text(length: 0...64),
        example: "EUR"
    ) { (query) throws(Problem) -> Asset? in
        guard let text = try query.text("base", atMost: 64) else { return nil }
        let base = Asset(rawValue: text)
        guard base.isCurrency else {
            throw .invalid("base", text, accepted: "a currency such as USD or EUR")
        }
        return base
    }
    private static let prices = Parameter.flag(
        "prices", "Whether daily closes and reference rates of what it names are wanted.")
    private static let live = Parameter.flag(
        "live", "With prices=true whether those of the moment are wanted, too, where somebody values it.")
    private static let benchmark = Parameter.text(
        "benchmark",
        "An asset or an instrument whose daily closes are wanted, such as BTC or kraken:BTC/USD.",
        example: "kraken:BTC/USD")
    private static let days = Parameter.flag(
        "days", "Whether the days that portfolio-service stored are wanted.")

    /// What somebody needs who reckons a portfolio in ways of their own.
    func addLedgerRoute(to routes: RouteTable) {
        routes.get(
            "/v1/portfolios/{id}/ledger", .scope(.portfolioRead),
            Operation(
                "portfolioLedger", .portfolios, "All that a report of a portfolio reckons with.",
                "It is of one moment; prices of the moment alone may be newer."),
            weight: 10,
            query: [Self.recorded, Self.base, Self.prices, Self.live, Self.benchmark, Self.days]
        ) { context in OK(try await portfolioLedger(context)) }
    }

    private func portfolioLedger(_ context: GatewayContext) async throws -> PortfolioLedger {
        let (id, query) = (try context.portfolioID(), context.query)
        let (moment, base) = (try query[Self.recorded], try query[Self.base])
        let (hasPrices, isLive) = (try query[Self.prices], try query[Self.live])
        let (benchmark, hasDays) = (try query[Self.benchmark], try query[Self.days])
        guard hasPrices || !isLive else {
            throw Problem.invalid("live", "true", accepted: "true only with prices=true")
        }
        var ledger = try await ownLong(context) { session, user in
            let portfolio = try session.portfolio(id, of: user)
            let stored = try session.ledger(of: portfolio, at: moment, needsPrices: hasPrices, base: base)
            var document = stored.document
            if let benchmark { document.benchmark = try session.benchmark(benchmark, in: stored.base) }
            if hasDays { document.days = try session.days(of: id, by: user) }
            return PortfolioLedger(portfolio: portfolio, document: document)
        }
        if isLive { ledger.document.live = await live.prices(of: ledger.portfolio) }
        return ledger
    }
}
