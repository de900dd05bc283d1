public import ArgumentParser
import Instruments
import JSON
import Portfolio
public import PortfolioStore
import Shapes
import Store

/// The command `bitpal portfolio create`.
struct PortfolioCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Makes a portfolio.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "Its name.") var name: String
    @Option(help: "The currency of its costs, gains and values.") var base = "USD"
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let now = Timestamp.now
        var random = SystemRandomNumberGenerator()
        let id = PortfolioID(rawValue: UniqueID(version7At: now.nanoseconds, using: &random))
        let (name, base, user) = (name, Asset(rawValue: base), store.user)
        let made = try await store.use { database in
            try await database.transaction { session in
                try session.createPortfolio(id, named: name, base: base, of: user, at: now)
            }
        }
        try PortfolioRows.print([made], json: json)
    }
}

/// The command `bitpal portfolio list`.
struct PortfolioListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your portfolios, by name.")

    @OptionGroup var store: PortfolioStoreOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let user = store.user
        let rows = try await store.use { database in
            try await database.withSession { try $0.portfolios(of: user) }
        }
        try PortfolioRows.print(rows, json: json)
    }
}

/// The command `bitpal portfolio delete`.
struct PortfolioDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a portfolio with all that it contains.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "Do it; without this nothing happens.") var yes = false

    func validate() throws {
        guard yes else { throw ValidationError("say --yes to delete the portfolio \"\(name)\"") }
    }

    func run() async throws {
        let now = Timestamp.now
        try await store.change(name) { session, id, user in
            try session.deletePortfolio(id, of: user, at: now)
        }
    }
}

/// The command group `bitpal portfolio wallet`.
struct PortfolioWalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "The wallets of a portfolio.",
        subcommands: [PortfolioWalletAddCommand.self, PortfolioWalletListCommand.self])
}

/// The command `bitpal portfolio wallet add`.
struct PortfolioWalletAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a wallet, or changes the kind and note of one.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "The wallet's name.") var name: String
    @Option(help: "exchange, address, cold or other.") var kind = WalletKind.other
    @Option(help: "Anything, such as the address.") var note = ""

    func run() async throws {
        let (name, kind, note, now) = (name, kind, note, Timestamp.now)
        try await store.change(portfolio) { session, id, user in
            try session.putWallet(name, kind: kind, note: note, in: id, of: user, at: now)
        }
    }
}

extension WalletKind: ExpressibleByArgument {}

/// The command `bitpal portfolio wallet list`.
struct PortfolioWalletListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The wallets of a portfolio, by name.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let user = store.user
        let wallets = try await store.use { database in
            let id = try await store.find(portfolio, in: database).id
            return try await database.withSession { try $0.wallets(of: id, by: user) }
        }
        try PortfolioRows.print(wallets, json: json)
    }
}

/// Portfolios and wallets as a table for people and as lines of JSON.
enum PortfolioRows {
    static func print(_ rows: [StoredPortfolio], json: Bool) throws {
        try print(
            rows, json, [("name", .left), ("base", .left), ("changes", .right), ("changed", .left)],
            cells: { [$0.name, $0.base.rawValue, "\($0.change)", $0.changed.plain] },
            write: { $0.writeMembers(to: &$1) })
    }

    static func print(_ rows: [StoredWallet], json: Bool) throws {
        try print(
            rows, json, [("name", .left), ("kind", .left), ("note", .left)],
            cells: { [$0.name, $0.kind.rawValue, $0.note] },
            write: { $0.writeMembers(to: &$1) })
    }

    /// Rows of anything.
    static func print<Row>(
        _ rows: [Row], _ json: Bool, _ columns: [(String, TextTable.Alignment)],
        cells: (Row) -> [String], write: (Row, inout JSONWriter) -> Void
    ) throws {
        if json {
            let output = StandardOutput()
            for row in rows {
                var line = JSONWriter()
                line.beginObject()
                write(row, &line)
                line.endObject()
                line.endLine()
                try output.write(line.bytes)
            }
            return try output.flush()
        }
        var table = TextTable(columns)
        for row in rows { table.append(cells(row).map { TextTable.Cell($0) }) }
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }
}
