import AccountStore
import Accounts
import Hummingbird
import Instruments
import JSON
import LedgerFiles
import Portfolio
import PortfolioStore
import Store
import Wire

extension Gateway {
    func addValueRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.get("\(start)/valuation", .scope(.portfolioRead)) { _, context in
            let row = try await portfolio(context)
            let valuation = try await valuation(of: row, context)
            var line = JSONWriter()
            valuation.write(named: row.name, to: &line)
            return OwnedAnswer.json(line.bytes)
        }
        routes.get("\(start)/holdings", .scope(.portfolioRead), weight: 5) { _, context in
            let loaded = try await ledger(context)
            let valuation = loaded.valuation
            return OwnedAnswer.object { line in
                line.text("base", valuation.base.rawValue)
                line.text("time", valuation.time.plain)
                line.list("items", valuation.positions) {
                    ReportJSON.write(position: $0, source: loaded.source(of: $0), to: &$1)
                }
                let assumed = Set(
                    loaded.report.lots.filter { $0.assumed != nil }.map(\.holding.asset.rawValue))
                line.texts("assumed", assumed.sorted())
                line.amount("total", valuation.total)
                line.amount("unrealized", valuation.unrealized)
                line.list("balances", loaded.report.balances) { balance, line in
                    line.text("wallet", balance.wallet)
                    line.holding(balance.holding)
                }
            }
        }
        routes.get("\(start)/lots", .scope(.portfolioRead), weight: 5) { _, context in
            let loaded = try await ledger(context)
            let report = ReportJSON(loaded: loaded)
            return OwnedAnswer.object { line in
                line.text("base", loaded.report.base.rawValue)
                line.list("items", loaded.report.lots) { report.write(lot: $0, to: &$1) }
                line.list("settings", loaded.policy.changes, LotSettingsBody.write)
            }
        }
        routes.get("\(start)/allocation", .scope(.portfolioRead), weight: 5, query: ["by"]) { _, context in
            let key = try context.query.choice("by", AllocationKey.self) ?? .asset
            let loaded = try await ledger(context)
            // A share of a whole that is not known would be a guess: then there is none, and what lacks is
            // named.
            let missing = loaded.valuation.missingPrices.map(\.rawValue)
            let shares = loaded.allocation(by: key)
            return OwnedAnswer.object { line in
                line.text("by", key.rawValue)
                line.list("items", shares) { PlanJSON.write(share: $0, to: &$1) }
                line.texts("missing_prices", missing)
            }
        }
        addHistoryRoutes(to: routes)
        addReportRoutes(to: routes)
    }

    private func addHistoryRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.get("\(start)/history", .scope(.portfolioRead), weight: 5, query: ["range"]) { _, context in
            let range = try context.query.choice("range", HistoryRange.self) ?? .all
            let loaded = try await ledger(context)
            let history = loaded.history
            return OwnedAnswer.object { line in
                line.text("base", loaded.report.base.rawValue)
                line.list("items", range.part(of: history.days)) { PlanJSON.write(day: $0, to: &$1) }
                line.texts("missing_prices", history.missingPrices.map(\.rawValue))
                line.texts("stale_prices", history.stalePrices.map(\.rawValue))
            }
        }
        routes.get("\(start)/performance", .scope(.portfolioRead), weight: 5, query: ["range", "benchmark"]) {
            _, context in
            let range = try context.query.choice("range", HistoryRange.self) ?? .all
            var loaded = try await ledger(context)
            loaded.range = range
            loaded.benchmark = try await benchmark(context, in: loaded.report.base)
            let days = loaded.history.days
            return OwnedAnswer.object { line in
                line.text("base", loaded.report.base.rawValue)
                RangeChange(days, range).write(to: &line)
                PerformanceJSON(loaded: loaded).write(to: &line)
            }
        }
    }

    private func addReportRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.get(
            "\(start)/report", .scope(.portfolioRead), weight: 10, query: ["year", "form", "benchmark"]
        ) { _, context in
            guard try context.query.text("year") != nil else {
                var loaded = try await ledger(context)
                loaded.benchmark = try await benchmark(context, in: loaded.report.base)
                var line = JSONWriter()
                ReportJSON(loaded: loaded).write(to: &line)
                return OwnedAnswer.json(line.bytes)
            }
            let year = try context.query.integer("year", in: 1678...2261, default: 0)
            let form = try context.query.choice("form", GainForm.self) ?? .generic
            let lots = try await ledger(context).report
            guard form != .form8949 || lots.base.rawValue == "USD" else {
                throw Problem(.conflict, "Form 8949 is in dollars, and this portfolio is in \(lots.base)")
            }
            let report = GainReport(lots, year: year)
            let bytes = form == .form8949 ? GainTable.form8949(report) : GainTable.generic(report)
            return Self.file(bytes, "text/csv; charset=utf-8")
        }
        routes.get("\(start)/explain", .scope(.portfolioRead), weight: 5, query: ["asset"]) { _, context in
            let asset = try context.query.text("asset")
            let loaded = try await ledger(context)
            let (report, valuation) = (loaded.report, loaded.valuation)
            let disposals = report.disposals.filter { disposal in
                asset.map { disposal.subject.asset.rawValue == $0 } ?? true
            }
            let positions = valuation.positions.filter { position in
                asset.map { position.holding.asset.rawValue == $0 } ?? true
            }
            return OwnedAnswer.object { line in
                line.texts(
                    "lines",
                    disposals.suffix(1_000).flatMap { Explanation.lines($0, in: report) }
                        + positions.flatMap { Explanation.lines($0, of: valuation) })
            }
        }
    }

    /// The portfolio that the path names, with its lots and the prices of what it names, until now.
    ///
    /// - Throws: `not-found`; `conflict` when its transactions make no ledger.
    func ledger(_ context: GatewayContext) async throws -> LoadedLedger {
        let (id, now) = (try context.portfolioID(), services.clock())
        var stored = try await own(context, .snapshot) { session, user in
            try session.ledger(of: try session.portfolio(id, of: user), needsPrices: true)
        }
        stored.take(await live.prices(of: stored.portfolio))
        return try Self.loaded(stored, until: max(now, stored.prices.lastTime ?? now))
    }

    /// What a performance is compared with, where the query says so.
    private func benchmark(_ context: GatewayContext, in base: Asset) async throws -> Benchmark? {
        guard let name = try context.query.text("benchmark") else { return nil }
        return try await own(context, .snapshot) { session, _ in try session.benchmark(name, in: base) }
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
        let stored = try await own(context, .snapshot) { session, _ in
            try session.ledger(of: row, needsPrices: true)
        }
        return Bitpal_V1_PortfolioValuation(try Self.loaded(stored, until: now).valuation, of: row)
    }
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
