import ArgumentParser
import Instruments
import JSON
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes
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
        let secret = ShareLink.newSecret(using: &random)
        let expires = now.adding(nanoseconds: Int64(days) * 86_400_000_000_000)
        try await store.change(portfolio) { session, portfolio, user in
            let link = ShareLink(id: id, portfolio: portfolio, created: now, expires: expires)
            try session.addShareLink(link, secret: secret, of: user)
        }
        guard json else { return try StandardOutput.say(secret) }
        var line = JSONWriter()
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
        let (user, now) = (store.user, Timestamp.now)
        let links = try await store.use { database in
            let id = try await store.find(portfolio, in: database).id
            return try await database.withSession { try $0.shareLinks(of: id, by: user) }
        }
        try PortfolioRows.print(
            links, json, [("id", .left), ("state", .left), ("created", .left), ("expires", .left)],
            cells: { [$0.id.description, $0.stateName(at: now), $0.created.plain, $0.expires.plain] },
            write: { ShareBody($0, at: now).writeMembers(to: &$1) })
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
        let isRevoked = try await store.use { database in
            let portfolio = try await store.find(self.portfolio, in: database).id
            guard let key = UniqueID(id.lowercased()) else { return false }
            return try await database.withSession { session in
                try session.revokeShareLink(key, of: portfolio, by: user, at: now)
            }
        }
        guard isRevoked else { throw CommandFailure(.notFound, "there is no open link \"\(id)\"") }
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
            try await database.withSession { try $0.sharedPortfolio(secret: secret, at: now) }
        }
        guard let portfolio else { throw CommandFailure(.notFound, "the link shows nothing (any more)") }
        let book = try prices.map { try LedgerOptions.prices($0) }
        var stored = try await StoredLedger.read(portfolio.name, from: store, needsPrices: book == nil)
        if let book {
            stored.prices = book
        } else {
            stored.take(try await store.livePrices(of: stored.portfolio))
        }
        let view = try LedgerOptions.located(portfolio.name) { () throws(FileFault) in
            try stored.sharedView(at: now)
        }
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
        var line = JSONWriter()
        view.write(to: &line)
        line.endLine()
        try StandardOutput.say(line.bytes)
    }
}
