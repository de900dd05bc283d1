import AccountStore
import Accounts
import GatewayFrame
import Hummingbird
import Instruments
import PortfolioStore
import Shapes
import Store

/// What a portfolio is called.
private let portfolioName = InputKind.name(1...64)

private struct NewPortfolio: WireInput {
    static let shape = InputShape("NewPortfolio", Self.init(name:base:)) {
        InputField("name", portfolioName, "Unique among its owner's.", example: "Main")
        InputField(
            "base", .optional(.text),
            "What it is valued in; without it base_currency of the account's settings.", example: "USD")
    }

    var name: String
    var base: String?
}

private struct PortfolioChange: WireInput {
    static let shape = InputShape("PortfolioChange", Self.init(name:)) {
        InputField("name", portfolioName, "What it is called from now on.", example: "Main")
    }

    var name: String
}

private struct NewWallet: WireInput {
    static let shape = InputShape("NewWallet", Self.init(name:kind:note:)) {
        InputField("name", .name(1...128), "Unique in its portfolio.", example: "Cold")
        InputField(
            "kind", .optional(.choice(WalletKind.self)), "Where it is; other unless it has one already.",
            example: "cold")
        InputField(
            "note", .optional(.text.documented(.text(length: 0...4_096))), "Anything, such as the address.")
    }

    var name: String
    var kind: WalletKind?
    var note: String?
}

extension Gateway {
    func addPortfolioRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/portfolios", .scope(.portfolioRead),
            Operation("listPortfolios", .portfolios, "Portfolios by name."), query: .page
        ) { context in
            let question = try context.page(of: "portfolios")
            let rows = try await own(context) { try $0.portfolios(of: $1) }
            return try Page(rows, of: "portfolios", question, key: { $0.id.description }, item: \.self)
        }
        routes.create(
            "/v1/portfolios", .scope(.portfolioWrite),
            Operation("makePortfolio", .portfolios, "Makes a portfolio.")
        ) { (body: NewPortfolio, context) in
            let now = services.clock()
            let base: Asset
            if let wanted = body.base {
                base = Asset(rawValue: wanted)
            } else {
                base = Asset(rawValue: try await baseCurrency(of: context.who.user))
            }
            let limits = services.configuration.quotas.portfolio
            return try creation(context) { session, user in
                var random = SystemRandomNumberGenerator()
                let id = PortfolioID(rawValue: UniqueID(version7At: now.nanoseconds, using: &random))
                let made = try session.createPortfolio(
                    id, named: body.name, base: base, of: user, limits: limits, at: now)
                return Created(made, at: "/v1/portfolios/\(made.id)")
            }
        }
        addOnePortfolioRoutes(to: routes)
        addWalletRoutes(to: routes)
    }

    private func addOnePortfolioRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/portfolios/{id}", .scope(.portfolioRead),
            Operation("portfolio", .portfolios, "One portfolio.")
        ) { context in OK(try await portfolio(context)) }
        routes.patch(
            "/v1/portfolios/{id}", .scope(.portfolioWrite),
            Operation("renamePortfolio", .portfolios, "Gives a portfolio another name.")
        ) { (body: PortfolioChange, context) in
            let id = try context.portfolioID()
            return OK(try await own(context) { try $0.renamePortfolio(id, to: body.name, of: $1) })
        }
        routes.delete(
            "/v1/portfolios/{id}", .scope(.portfolioWrite),
            Operation("deletePortfolio", .portfolios, "Deletes a portfolio with all that it contains.")
        ) { context in
            let (id, now) = (try context.portfolioID(), services.clock())
            try await own(context) { try $0.deletePortfolio(id, of: $1, at: now) }
            return NoContent()
        }
    }

    private func addWalletRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/portfolios/{id}/wallets", .scope(.portfolioRead),
            Operation("listWallets", .portfolios, "The wallets of a portfolio, by name."), query: .page
        ) { context in
            let (id, question) = (try context.portfolioID(), try context.page(of: "wallets"))
            let rows = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.wallets(of: id, by: user)
            }
            return try Page(rows, of: "wallets", question, key: \.name, item: \.self)
        }
        routes.create(
            "/v1/portfolios/{id}/wallets", .scope(.portfolioWrite),
            Operation(
                "putWallet", .portfolios, "Adds a wallet, or changes the kind and note of one.",
                "Of one that is there what the body does not name stays as it was.")
        ) { (body: NewWallet, context) in
            let (id, now) = (try context.portfolioID(), services.clock())
            return try creation(context) { session, user in
                let old = try session.wallet(body.name, in: id, of: user)
                try session.putWallet(
                    body.name, kind: body.kind ?? old?.kind ?? .other, note: body.note ?? old?.note ?? "",
                    in: id, of: user, at: now)
                guard let row = try session.wallet(body.name, in: id, of: user) else {
                    throw Problem(.conflict, "the wallet was removed meanwhile")
                }
                return CreatedOrKnown(row, madeAt: old == nil ? "/v1/portfolios/\(id)/wallets" : nil)
            }
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
