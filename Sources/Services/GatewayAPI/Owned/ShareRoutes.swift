import AccountStore
import Accounts
import Hummingbird
import Instruments
import JSON
import LedgerFiles
import Portfolio
import PortfolioStore
import Store

extension Gateway {
    func addShareRoutes(to routes: RouteTable) {
        let all = "/v1/portfolios/{id}/shares"
        routes.get(all, .scope(.portfolioRead), query: .page) { _, context in
            let (id, question) = (try context.portfolioID(), try context.page(of: "shares"))
            let rows = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.shareLinks(of: id, by: user)
            }
            let now = services.clock()
            return try OwnedAnswer.page(rows, of: "shares", question, key: { $0.id.description }) { link in
                OwnedAnswer.item { PortfolioJSON.write(link, at: now, to: &$0) }
            }
        }
        routes.post(all, .scope(.portfolioWrite), creates: true) { _, context in
            struct Body: Decodable { var days: Int? }
            let (portfolio, now) = (try context.portfolioID(), services.clock())
            let body = context.body.readableBytes == 0 ? Body() : try context.json(Body.self)
            let days = body.days ?? 30
            guard (1...3_650).contains(days) else {
                throw Problem.invalid("days", "\(days)", accepted: "1...3650")
            }
            var random = SystemRandomNumberGenerator()
            let secret = ShareLink.newSecret(using: &random)
            let link = ShareLink(
                id: UniqueID(version7At: now.nanoseconds, using: &random), portfolio: portfolio, created: now,
                expires: now.adding(nanoseconds: Int64(days) * 86_400_000_000_000))
            try await own(context) { try $0.addShareLink(link, secret: secret, of: $1) }
            return OwnedAnswer.created(
                "\(all.replacing("{id}", with: "\(portfolio)"))",
                OwnedAnswer.item { line in
                    PortfolioJSON.write(link, at: now, to: &line)
                    // Only its SHA-256 is stored: it is shown this once.
                    line.text("token", secret)
                    line.text("path", "/shared/\(secret)")
                })
        }
        routes.delete("\(all)/{share}", .scope(.portfolioWrite)) { _, context in
            let (portfolio, share) = (try context.portfolioID(), try context.id("share"))
            let now = services.clock()
            let isRevoked = try await own(context) { session, user in
                try session.revokeShareLink(share, of: portfolio, by: user, at: now)
            }
            guard isRevoked else { throw Problem.notFound("open link \(share)") }
            return .noContent
        }
        routes.get("/v1/shared/{token}", .open, weight: 20) { _, context in try await shared(context) }
    }

    /// What a link shows: ranges of percentages, no amounts, no dates, no wallets.
    private func shared(_ context: GatewayContext) async throws -> Response {
        let (token, now) = (try context.path("token"), services.clock())
        // Whose it is is known only afterwards: this one look is the service's.
        guard (32...128).contains(token.utf8.count),
            let portfolio = try await services.database.withSession({ session in
                try session.sharedPortfolio(secret: token, at: now)
            })
        else { throw Problem.notFound("such link, or it shows nothing any more") }
        var stored = try await act(as: portfolio.user, .snapshot) { session, _ in
            try session.ledger(of: portfolio, needsPrices: true)
        }
        stored.take(await live.prices(of: portfolio))
        let view: SharedView?
        do {
            // Prices came since it was asked.
            view = try stored.sharedView(at: max(now, stored.prices.lastTime ?? now))
        } catch {
            // What is wrong with the ledger is for its owner alone.
            view = nil
        }
        guard let view else {
            throw Problem(.unavailable, "a price is missing, so that there is nothing to show now")
        }
        var line = JSONWriter()
        PlanJSON.write(view, to: &line)
        return OwnedAnswer.json(line.bytes)
    }
}
