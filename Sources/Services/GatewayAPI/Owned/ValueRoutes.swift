import AccountStore
import Accounts
import GatewayFrame
import HTTPTypes
import Hummingbird
import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes
import Store
import Wire

extension Gateway {
    private static let key = Parameter.choice(
        "by", "asset unless said otherwise.", AllocationKey.self, default: .asset)
    private static let range = Parameter.choice(
        "range", "All unless said otherwise.", HistoryRange.self, default: .all)
    private static let benchmark = Parameter.text(
        "benchmark",
        "An asset or an instrument to compare with, such as BTC or kraken:BTC/USD, by the daily closes that "
            + "are stored.", example: "kraken:BTC/USD")
    private static let asset = Parameter.text("asset", "Only this asset.", example: "BTC")

    func addValueRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.get(
            "\(start)/valuation", .scope(.portfolioRead),
            Operation(
                "portfolioValuation", .portfolios, "What a portfolio is worth.", problems: [.conflict])
        ) { context in
            let row = try await portfolio(context)
            return OK(PortfolioValuationBody(try await valuation(of: row, context), named: row.name))
        }
        routes.get(
            "\(start)/holdings", .scope(.portfolioRead),
            Operation(
                "holdings", .portfolios, "What is held, by daily closes, with what it cost.",
                "Of the assets under \"assumed\" a part has a cost that its owner never stated.",
                problems: [.conflict]), weight: 5
        ) { context in OK(HoldingsBody(of: try await ledger(context))) }
        routes.get(
            "\(start)/lots", .scope(.portfolioRead),
            Operation("lots", .portfolios, "Open lots, and how they are taken.", problems: [.conflict]),
            weight: 5
        ) { context in OK(LotsBody(loaded: try await ledger(context))) }
        routes.get(
            "\(start)/allocation", .scope(.portfolioRead),
            Operation(
                "allocation", .portfolios, "How the value of what is held is spread.", problems: [.conflict]),
            weight: 5, query: [Self.key]
        ) { context in
            let key = try context.query[Self.key] ?? .asset
            return OK(AllocationBody(loaded: try await ledger(context), key: key))
        }
        addHistoryRoutes(to: routes)
        addReportRoute(to: routes)
        routes.get(
            "\(start)/explain", .scope(.portfolioRead),
            Operation(
                "explainPortfolio", .portfolios,
                "Which lots each disposal took, and where every percentage comes from.",
                problems: [.conflict]), weight: 5, query: [Self.asset]
        ) { context in
            let asset = try context.query[Self.asset]
            return OK(PortfolioExplanationBody(of: try await ledger(context), asset))
        }
    }

    private func addHistoryRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.get(
            "\(start)/history", .scope(.portfolioRead),
            Operation(
                "portfolioHistory", .portfolios,
                "What it was worth at the end of each UTC day, and what came in and went out.",
                problems: [.conflict]), weight: 5, query: [Self.range]
        ) { context in
            let range = try context.query[Self.range] ?? .all
            return OK(PortfolioHistoryBody(of: try await ledger(context), range))
        }
        routes.get(
            "\(start)/performance", .scope(.portfolioRead),
            Operation(
                "performance", .portfolios,
                "How it did over a range of days: returns and risk of these days alone.",
                problems: [.conflict]), weight: 5, query: [Self.range, Self.benchmark]
        ) { context in
            let range = try context.query[Self.range] ?? .all
            var loaded = try await ledger(context)
            loaded.range = range
            loaded.benchmark = try await benchmark(context, in: loaded.report.base)
            return OK(PortfolioPerformanceBody(loaded: loaded))
        }
    }

    /// The portfolio that the path names, with its lots and the prices of what it names, until now.
    ///
    /// - Throws: `not-found`; `conflict` when its transactions make no ledger.
    func ledger(_ context: GatewayContext) async throws -> LoadedLedger {
        let (id, now) = (try context.portfolioID(), services.clock())
        return try await inTurn(context) {
            var stored = try await own(context, on: services.slow, .snapshot) { session, user in
                try session.ledger(of: try session.portfolio(id, of: user), needsPrices: true)
            }
            stored.take(await live.prices(of: stored.portfolio))
            return try Self.loaded(stored, until: max(now, stored.prices.lastTime ?? now))
        }
    }

    /// What a performance is compared with, where the query says so.
    private func benchmark(_ context: GatewayContext, in base: Asset) async throws -> Benchmark? {
        guard let name = try context.query[Self.benchmark] else { return nil }
        return try await ownLong(context) { session, _ in try session.benchmark(name, in: base) }
    }

    private static func loaded(_ stored: StoredLedger, until now: Timestamp) throws -> LoadedLedger {
        do {
            return try stored.loaded(until: now)
        } catch {
            throw Problem(.conflict, "the transactions do not hold together: \(error)")
        }
    }

    /// What a portfolio is worth: by the prices of the moment where somebody values it, else by the last
    /// daily closes that are stored.
    func valuation(
        of row: StoredPortfolio, _ context: GatewayContext
    ) async throws -> Bitpal_V1_PortfolioValuation {
        // One that is of before the last change is wrong now.
        if let known = await live.valuation(row.id, row.change), known.change >= row.change { return known }
        let now = services.clock()
        return try await inTurn(context) {
            let stored = try await own(context, on: services.slow, .snapshot) { session, _ in
                try session.ledger(of: row, needsPrices: true)
            }
            return Bitpal_V1_PortfolioValuation(try Self.loaded(stored, until: now).valuation, of: row)
        }
    }
}

/// A report in its two forms, JSON and a table of gains.
extension Gateway {
    private static let year = Parameter(
        "year", "A calendar year in UTC.", .integer(in: 1678...2261), example: 2026
    ) { (query) throws(Problem) -> Int? in
        guard try query.text("year") != nil else { return nil }
        return try query.integer("year", in: 1678...2261, default: 0)
    }
    private static let form = Parameter.choice(
        "form", "Columns of Form 8949, or all.", GainForm.self, default: .generic)

    private func addReportRoute(to routes: RouteTable) {
        var answer = AnswerDocument.json(200, "The report.", ReportBody.self)
        answer.otherForms = [("text/csv", .text(), .text(Self.exampleOfGains))]
        let operation = Operation(
            "report", .portfolios, "Everything that it comes to; with a year its capital gains as CSV.",
            problems: [.conflict])
        let document = RouteDocument(
            operation: operation,
            parameters: [Self.year.document, Self.form.document, Self.benchmark.document], answers: [answer])
        routes.add(
            .get, "/v1/portfolios/{id}/report", RouteRules(access: .scope(.portfolioRead), weight: 10),
            document
        ) { _, context in
            guard let year = try context.query[Self.year] else {
                var loaded = try await ledger(context)
                loaded.benchmark = try await benchmark(context, in: loaded.report.base)
                return OK(ReportBody(of: loaded)).response
            }
            let form = try context.query[Self.form] ?? .generic
            let lots = try await ledger(context).report
            guard form != .form8949 || lots.base.rawValue == "USD" else {
                throw Problem(.conflict, "Form 8949 is in dollars, and this portfolio is in \(lots.base)")
            }
            let report = GainReport(lots, year: year)
            let bytes = form == .form8949 ? GainTable.form8949(report) : GainTable.generic(report)
            return Self.file(bytes, "text/csv; charset=utf-8")
        }
    }

    private static let exampleOfGains = """
        asset,amount,wallet,acquired,disposed,proceeds,cost_basis,gain,term,assumed,stale_price\r
        BTC,0.1,Cold,2026-01-02T00:00:00Z,2026-01-03T00:00:00Z,6100,6000,100,short,,\r

        """
}

extension Bitpal_V1_PortfolioValuation {
    /// By daily closes.
    init(_ valuation: Valuation, of row: StoredPortfolio) {
        self.init()
        portfolio = row.id.description
        base = valuation.base.rawValue
        timeUnixNanos = valuation.time.nanoseconds
        change = row.change
        value = valuation.total?.description ?? ""
        knownValue = valuation.knownTotal.description
        for held in valuation.positions {
            var position = Bitpal_V1_PortfolioPosition()
            position.asset = held.holding.asset.rawValue
            position.amount = held.holding.amount.description
            if let price = held.price {
                position.price = price.price.description
                position.priceTimeUnixNanos = price.time.nanoseconds
                position.source = "daily close"
                position.value = held.value?.description ?? ""
                if held.isStale { position.stale = "the last price is of \(price.time.plain)" }
            }
            positions.append(position)
        }
        missing = valuation.missingPrices.map(\.rawValue)
        stale = valuation.positions.filter(\.isStale).map(\.holding.asset.rawValue)
    }
}
