import ArgumentParser
import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Statistics
import Store

/// The command group `bitpal portfolio share`.
struct PortfolioShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Links to an anonymised view: ranges of percentages, no amounts, no dates, no wallets.",
        subcommands: [
            PortfolioShareCreateCommand.self, PortfolioShareListCommand.self,
            PortfolioShareRevokeCommand.self, PortfolioShareOpenCommand.self,
        ])
}

/// The command `bitpal portfolio share create`.
struct PortfolioShareCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a link, and prints its secret, which is not stored.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Option(help: "For how many days it opens.") var days = 30
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard (1...3_650).contains(days) else {
            throw ValidationError("--days is \(days); accepted is 1...3650")
        }
    }

    func run() async throws {
        let now = Timestamp.now
        var random = SystemRandomNumberGenerator()
        let id = UniqueID(version7At: now.nanoseconds, using: &random)
        let secret = (0..<4).map { _ in
            let digits = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        let expires = now.adding(nanoseconds: Int64(days) * 86_400_000_000_000)
        try await store.change(portfolio) { session, portfolio, user in
            let link = ShareLink(id: id, portfolio: portfolio, created: now, expires: expires)
            try session.addShareLink(link, secret: secret, of: user)
        }
        guard json else { return try StandardOutput.say(secret) }
        var line = JSONLine()
        line.beginObject()
        line.text("id", id.description)
        line.text("secret", secret)
        line.text("expires", expires.plain)
        line.endObject()
        line.endLine()
        try StandardOutput.say(line.bytes)
    }
}

/// The command `bitpal portfolio share list`.
struct PortfolioShareListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The links of a portfolio, with those that are over.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let now = Timestamp.now
        let links = try await store.use { database in
            try await database.rows(ListShareLinks(of: try await store.find(portfolio, in: database).id))
        }
        func state(_ link: ShareLink) -> String {
            link.revoked != nil ? "revoked" : link.expires <= now ? "expired" : "open"
        }
        try PortfolioRows.print(
            links, json, [("id", .left), ("state", .left), ("created", .left), ("expires", .left)],
            cells: { [$0.id.description, state($0), $0.created.plain, $0.expires.plain] },
            write: { link, line in
                line.text("id", link.id.description)
                line.text("state", state(link))
                line.text("created", link.created.plain)
                line.text("expires", link.expires.plain)
            })
    }
}

/// The command `bitpal portfolio share revoke`.
struct PortfolioShareRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Makes a link show nothing any more.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "The link's id.") var id: String

    func run() async throws {
        let (user, now) = (store.user, Timestamp.now)
        let count = try await store.use { database in
            let portfolio = try await store.find(self.portfolio, in: database).id
            guard let key = UniqueID(id.lowercased()) else { return 0 }
            return try await database.execute(RevokeShareLink(key, of: portfolio, of: user, at: now))
        }
        guard count == 1 else { throw CommandFailure(.notFound, "there is no open link \"\(id)\"") }
    }
}

/// The command `bitpal portfolio share open`.
struct PortfolioShareOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "What a link shows.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The link's secret.") var secret: String
    @Option(help: "Prices: CSV with the header time,asset,currency,price.") var prices: String?
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let now = Timestamp.now
        let secret = secret
        let portfolio = try await store.use { database in
            try await database.first(OpenShareLink(secret: secret, at: now))
        }
        guard let portfolio else { throw CommandFailure(.notFound, "the link shows nothing (any more)") }
        let book = try prices.map { try LedgerOptions.prices($0) }
        let stored = try await StoredLedger.read(portfolio.name, from: store, needsPrices: book == nil)
        let ledger = try LedgerOptions.located(portfolio.name) { () throws(FileFault) in
            try stored.imported.ledger()
        }
        let known = book ?? stored.prices
        let report = try LotReport(
            ledger, LotPolicy(settings: stored.settings), base: stored.base, prices: known)
        let history = DailyHistory(ledger, base: stored.base, prices: known, until: now)
        let performance = history.series.map { PerformanceFigures($0).timeWeightedReturn } ?? nil
        let view = SharedView(
            Valuation(report, prices: known, at: now),
            timeWeightedReturn: performance.flatMap { try? Amount(parsing: "\($0)") })
        guard let view else {
            throw CommandFailure(.failed, "a price is missing, so that there is nothing to show now")
        }
        try show(view)
    }

    private func show(_ view: SharedView) throws {
        guard json else {
            let output = StandardOutput()
            for part in view.parts { try output.writeLine("\(part.asset)  \(part.share)") }
            try output.writeLine("return  \(view.timeWeightedReturn?.description ?? "unknown")")
            return try output.flush()
        }
        var line = JSONLine()
        line.beginObject()
        line.list("allocation", view.parts) { part, line in
            line.text("asset", part.asset.rawValue)
            line.text("share", part.share.description)
        }
        line.key("return")
        line.string(view.timeWeightedReturn?.description)
        line.endObject()
        line.endLine()
        try StandardOutput.say(line.bytes)
    }
}
