import AccountStore
import Accounts
import AlertStore
import Alerting
import GatewayFrame
import Instruments
import Portfolio
import PortfolioStore
import Shapes
import Store

private struct NewSample: WireInput {
    static let shape = InputShape("NewSample", Self.init(name:)) {
        InputField(
            "name", .optional(.name(1...64)), "Of the watchlist and the portfolio; Sample if none.",
            example: "Sample")
    }

    var name: String?
}

/// What was made for somebody who wants to see something.
private struct SampleBody: WireBody {
    static let shape = BodyShape<SampleBody>("Sample") {
        Field("alerts", \.alerts, "The rules, which have something to tell within minutes.")
        Field("portfolio", \.portfolio, "With two years of transactions.")
        Field("transactions", \.transactions, "How many the portfolio has.", example: 112)
        Field("watchlist", \.watchlist)
    }

    var alerts: [String]
    var portfolio: UniqueID
    var transactions: Int
    var watchlist: UniqueID
}

extension Gateway {
    func addDemoRoutes(to routes: RouteTable) {
        routes.create(
            "/v1/demo/sample", .owner,
            Operation(
                "makeSample", .accounts,
                """
                Gives whoever asks a sample watchlist, a portfolio with two years of transactions and rules \
                that fire within minutes; of the demo's market alone.
                """, problems: [.conflict]
            ).unaudited("it makes what everybody makes for themselves"), weight: 20
        ) { (body: NewSample, context) in
            let demo = services.configuration.demo
            guard let url = demo.restURL else {
                throw Problem(.conflict, "samples are for the demo: `bitpal up --profile demo`")
            }
            let now = services.clock()
            let market = try await SampleMarket(at: now, from: url, demo.get)
            return try sampleCreation(body.name ?? "Sample", market, at: now, context)
        }
    }

    private func sampleCreation(
        _ name: String, _ market: SampleMarket, at now: Timestamp, _ context: GatewayContext
    ) throws(Problem) -> Creation<Created<SampleBody>> {
        var random = SystemRandomNumberGenerator()
        let list = UniqueID(version7At: now.nanoseconds, using: &random)
        let portfolio = UniqueID(version7At: now.nanoseconds, using: &random)
        let (rows, ruleLimits) = (SampleLedger(market).rows, limits)
        let rules = try SampleRules.read(market.price, at: now)
        return try creationWithinQuota(context) { session, user in
            _ = try session.createWatchlist(list, named: name, of: user, at: now)
            for instrument in SampleMarket.watched {
                _ = try session.addEntry(instrument, to: list, of: user, at: now)
            }
            _ = try session.createPortfolio(
                PortfolioID(rawValue: portfolio), named: name, base: SampleLedger.dollar, of: user,
                limits: services.configuration.quotas.portfolio, at: now)
            try fill(PortfolioID(rawValue: portfolio), with: rows, of: user, at: now, session)
            _ = try session.addRules(rules, of: user, limits: ruleLimits, at: now)
            let body = SampleBody(
                alerts: rules.map { $0.id.description }, portfolio: portfolio, transactions: rows.count,
                watchlist: list)
            return Created(body, at: "/v1/portfolios/\(portfolio)")
        }.followed(by: { await tellStream(of: list, context) })
    }

    private func fill(
        _ id: PortfolioID, with rows: [Transaction], of user: UserID, at now: Timestamp,
        _ session: borrowing Session
    ) throws {
        var file = ImportedFile(
            source: "the demo's sample", format: "csv", rows: rows, lines: rows.indices.map { $0 + 2 })
        // What the demo's market trades may not be known here yet.
        file.takesUnknownAssets = true
        _ = try session.importTransactions(
            file, to: id, of: user, limits: services.configuration.quotas.portfolio, at: now)
    }
}
