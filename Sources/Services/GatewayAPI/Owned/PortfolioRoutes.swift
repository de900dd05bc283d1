import AccountStore
import Accounts
import Hummingbird
import Instruments
import JSON
import PortfolioStore
import Store

extension Gateway {
    func addPortfolioRoutes(to routes: RouteTable) {
        routes.get("/v1/portfolios", .scope(.portfolioRead), query: .page) { _, context in
            let question = try context.page(of: "portfolios")
            let rows = try await own(context) { try $0.portfolios(of: $1) }
            return try OwnedAnswer.page(rows, of: "portfolios", question, key: { $0.id.description }) { row in
                OwnedAnswer.item { PortfolioJSON.write(row, to: &$0) }
            }
        }
        routes.post("/v1/portfolios", .scope(.portfolioWrite), creates: true) { _, context in
            struct Body: Decodable {
                var name: String
                var base: String?
            }
            let (body, now) = (try context.json(Body.self), services.clock())
            let name = body.name
            try NameRule.check(name)
            let base: Asset
            if let wanted = body.base {
                base = Asset(rawValue: wanted)
            } else {
                base = Asset(rawValue: try await baseCurrency(of: context.who.user))
            }
            let made = try await own(context) { session, user in
                var random = SystemRandomNumberGenerator()
                let id = PortfolioID(rawValue: UniqueID(version7At: now.nanoseconds, using: &random))
                return try session.createPortfolio(id, named: name, base: base, of: user, at: now)
            }
            return OwnedAnswer.created(
                "/v1/portfolios/\(made.id)", OwnedAnswer.item { PortfolioJSON.write(made, to: &$0) })
        }
        routes.get("/v1/portfolios/{id}", .scope(.portfolioRead)) { _, context in
            let row = try await portfolio(context)
            return OwnedAnswer.object { PortfolioJSON.write(row, to: &$0) }
        }
        routes.patch("/v1/portfolios/{id}", .scope(.portfolioWrite)) { _, context in
            struct Body: Decodable { var name: String }
            let (id, name) = (try context.portfolioID(), try context.json(Body.self).name)
            try NameRule.check(name)
            let row = try await own(context) { try $0.renamePortfolio(id, to: name, of: $1) }
            return OwnedAnswer.object { PortfolioJSON.write(row, to: &$0) }
        }
        routes.delete("/v1/portfolios/{id}", .scope(.portfolioWrite)) { _, context in
            let (id, now) = (try context.portfolioID(), services.clock())
            try await own(context) { try $0.deletePortfolio(id, of: $1, at: now) }
            return .noContent
        }
        addWalletRoutes(to: routes)
    }

    private func addWalletRoutes(to routes: RouteTable) {
        routes.get("/v1/portfolios/{id}/wallets", .scope(.portfolioRead), query: .page) { _, context in
            let (id, question) = (try context.portfolioID(), try context.page(of: "wallets"))
            let rows = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.wallets(of: id, by: user)
            }
            return try OwnedAnswer.page(rows, of: "wallets", question, key: \.name) { row in
                OwnedAnswer.item { PortfolioJSON.write(row, to: &$0) }
            }
        }
        routes.post("/v1/portfolios/{id}/wallets", .scope(.portfolioWrite), creates: true) { _, context in
            struct Body: Decodable {
                var name: String
                var kind: String?
                var note: String?
            }
            let (id, body, now) = (try context.portfolioID(), try context.json(Body.self), services.clock())
            let kind = body.kind.flatMap(WalletKind.init(rawValue:))
            guard kind != nil || body.kind == nil else {
                let kinds = WalletKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.invalid("kind", body.kind, accepted: kinds)
            }
            let (name, note) = (body.name, body.note)
            try NameRule.check(name)
            let (row, isNew) = try await own(context) { session, user in
                let old = try session.wallet(name, in: id, of: user)
                try session.putWallet(
                    name, kind: kind ?? old?.kind ?? .other, note: note ?? old?.note ?? "", in: id, of: user,
                    at: now)
                return (try session.wallet(name, in: id, of: user), old == nil)
            }
            let item = OwnedAnswer.item { line in if let row { PortfolioJSON.write(row, to: &line) } }
            guard isNew else { return OwnedAnswer.json(item) }
            return OwnedAnswer.created("/v1/portfolios/\(id)/wallets", item)
        }
    }

    /// What somebody's portfolios are valued in unless they say otherwise.
    private func baseCurrency(of user: UserID) async throws -> String {
        let settings = try await services.database.withSession { try $0.settings(of: user) }
        return (settings ?? UserSettings()).baseCurrency
    }

    /// The portfolio that the path names.
    ///
    /// - Throws: `not-found`.
    func portfolio(_ context: GatewayContext) async throws -> StoredPortfolio {
        let id = try context.portfolioID()
        return try await own(context) { try $0.portfolio(id, of: $1) }
    }
}

extension GatewayContext {
    /// The portfolio that the path names.
    ///
    /// - Throws: `not-found` for what cannot be a key.
    func portfolioID() throws(Problem) -> PortfolioID { PortfolioID(rawValue: try id()) }
}

extension Session {
    fileprivate func wallet(
        _ name: String, in id: PortfolioID, of user: UserID
    ) throws(StoreError) -> StoredWallet? {
        try wallets(of: id, by: user).first { $0.name == name }
    }

    /// A portfolio of a user.
    ///
    /// - Throws: ``PortfolioRefused`` when there is none.
    func portfolio(_ id: PortfolioID, of user: UserID) throws -> StoredPortfolio {
        guard let row = try findPortfolio(id, of: user) else {
            throw PortfolioRefused(.noSuchPortfolio(id.description))
        }
        return row
    }
}
