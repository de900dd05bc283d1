import AccountStore
import Accounts
import GatewayFrame
import Hummingbird
import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes
import Store

private struct NewShare: WireInput {
    static let shape = InputShape("NewShare", Self.init(days:)) {
        InputField(
            "days",
            .integer.documented(.integer(in: 1...3_650))
                .map(accepted: "1...3650") { (1...3_650).contains($0) ? $0 : nil }.otherwise(30, 30),
            "How long it shows something, in days.", example: 30)
    }
    static let whenMissing: NewShare? = NewShare(days: 30)

    var days: Int
}

/// Prices in place of those that are known.
private struct PriceOverrides: WireInput {
    static let shape = InputShape("GivenPrices", Self.init(prices:)) {
        InputField(
            "prices", .text, "CSV with the header time,asset,currency,price.",
            example: "time,asset,currency,price\n2026-01-01,BTC,USD,61000\n")
    }

    var prices: String

    /// - Throws: `invalid-field` with the line and column of the text.
    func read() throws(Problem) -> PriceHistory {
        do {
            return try PriceCSV.read(Array(prices.utf8))
        } catch {
            throw Problem(error, field: "prices")
        }
    }
}

/// A link with what opens it, of which only the SHA-256 is stored: it is shown this once.
private struct CreatedShare: WireBody {
    static let shape = BodyShape<CreatedShare>("MadeShare") {
        Field(all: \.share)
        Field(
            "token", \.secret, "What opens the link; shown this once.",
            example: "4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f")
        Field("path", { "/shared/\($0.secret)" }, example: "/shared/4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f")
    }

    var share: ShareBody
    var secret: String
}

extension Gateway {
    func addShareRoutes(to routes: RouteTable) {
        let all = "/v1/portfolios/{id}/shares"
        routes.get(
            all, .scope(.portfolioRead),
            Operation(
                "listShares", .portfolios, "Links to an anonymised view, with those that are over."),
            query: .page
        ) { context in
            let (id, question) = (try context.portfolioID(), try context.page(of: "shares"))
            let rows = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.shareLinks(of: id, by: user)
            }
            let now = services.clock()
            return try Page(
                rows, of: "shares", question, key: { $0.id.description }, item: { ShareBody($0, at: now) })
        }
        routes.create(
            all, .scope(.portfolioWrite),
            Operation("makeShare", .portfolios, "Makes a link; its token is shown this once.")
        ) { (body: NewShare, context) in
            let (portfolio, now) = (try context.portfolioID(), services.clock())
            var random = SystemRandomNumberGenerator()
            let secret = ShareLink.newSecret(using: &random)
            let link = ShareLink(
                id: UniqueID(version7At: now.nanoseconds, using: &random), portfolio: portfolio, created: now,
                expires: now.adding(nanoseconds: Int64(body.days) * 86_400_000_000_000))
            let limits = services.configuration.quotas.portfolio
            return try creation(context) { session, user in
                try session.addShareLink(link, secret: secret, of: user, limits: limits)
                return Created(
                    CreatedShare(share: ShareBody(link, at: now), secret: secret),
                    at: all.replacing("{id}", with: "\(portfolio)"))
            }
        }
        routes.delete(
            "\(all)/{share}", .scope(.portfolioWrite),
            Operation("revokeShare", .portfolios, "Makes a link show nothing any more.")
        ) { context in
            let (portfolio, share) = (try context.portfolioID(), try context.id("share"))
            let now = services.clock()
            let isRevoked = try await own(context) { session, user in
                try session.revokeShareLink(share, of: portfolio, by: user, at: now)
            }
            guard isRevoked else { throw Problem.notFound("open link \(share)") }
            return NoContent()
        }
        routes.get(
            "/v1/shared/{token}", .open,
            Operation(
                "shared", .portfolios,
                "What a link shows: ranges of percentages, no amounts, no dates, no wallets."), weight: 20
        ) { context in OK(try await shared(context)) }
        // Of one's own alone: who chooses prices finds out what the ranges hide.
        routes.post(
            "/v1/shared/{token}", .scope(.portfolioRead),
            Operation(
                "sharedAtPrices", .portfolios, "What a link of one's own shows at other prices.",
                problems: [.conflict]), weight: 20, takesFile: true
        ) { (body: PriceOverrides, context) in OK(try await shared(context, at: try body.read())) }
    }

    /// What a link shows: ranges of percentages, no amounts, no dates, no wallets.
    ///
    /// At `prices`, in place of those that are known, it shows them to its owner alone.
    private func shared(_ context: GatewayContext, at prices: PriceHistory? = nil) async throws -> SharedView
    {
        let (token, now) = (try context.path("token"), services.clock())
        // Whose it is is known only afterwards: this one look is the service's.
        guard (32...128).contains(token.utf8.count),
            let portfolio = try await services.database.withSession({ session in
                try session.sharedPortfolio(secret: token, at: now)
            }),
            prices == nil || portfolio.user == context.identity?.user
        else { throw Problem.notFound("such link, or it shows nothing any more") }
        // One's own prices are for oneself; what everybody is shown is reckoned once for all who look.
        guard prices == nil else {
            return try await inTurn(context) { try await view(of: portfolio, at: prices) }
        }
        return try await services.turns.take(.link(portfolio.id)) {
            try await services.shared.view(of: portfolio.id, change: portfolio.change) {
                try await services.turns.take(.strangers) { try await view(of: portfolio, at: nil) }
            }
        }
    }

    private func view(of portfolio: StoredPortfolio, at prices: PriceHistory?) async throws -> SharedView {
        let now = services.clock()
        var stored = try await act(as: portfolio.user, on: services.slow, .snapshot) { session, _ in
            try session.ledger(of: portfolio, needsPrices: prices == nil)
        }
        if let prices {
            stored.prices = prices
        } else {
            stored.take(await live.prices(of: portfolio))
        }
        let view: SharedView?
        do {
            // Prices of the moment came since it was asked; given ones may be of days to come.
            let latest = prices == nil ? stored.prices.lastTime ?? now : now
            view = try stored.sharedView(at: max(now, latest))
        } catch {
            // What is wrong with the ledger is for its owner alone.
            view = nil
        }
        guard let view else {
            throw Problem(
                prices == nil ? .unavailable : .conflict,
                "a price is missing, so that there is nothing to show now")
        }
        return view
    }
}
