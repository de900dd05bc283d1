public import ArgumentParser
import JSON
import MarketStore

/// `bitpal watchlist …`: the lists of the page.
public struct WatchlistCommand: AsyncParsableCommand {
    /// How the parser presents it.
    public static let configuration = CommandConfiguration(
        commandName: "watchlist", abstract: "The watchlists that stand on your page.",
        subcommands: [
            WatchlistListCommand.self, WatchlistShowCommand.self, WatchlistCreateCommand.self,
            WatchlistRenameCommand.self, WatchlistDeleteCommand.self, WatchlistAddCommand.self,
            WatchlistRemoveCommand.self, WatchlistOrderCommand.self,
        ])

    /// An unconfigured command, for the parser.
    public init() {}
}

/// The command `bitpal watchlist list`.
struct WatchlistListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your watchlists in their order.")

    @OptionGroup var gateway: GatewayOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try WatchlistRows.print(try await gateway.client().list("/v1/watchlists"), json: json)
    }
}

/// The command `bitpal watchlist show`.
struct WatchlistShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "What a watchlist holds, with the prices of the moment.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let list = try await client.watchlist(name)
        try WatchlistRows.print(entriesOf: try await client.get(list, [("quotes", "true")]), json: json)
    }
}

/// The command `bitpal watchlist create`.
struct WatchlistCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a watchlist, and prints it.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let made = try await gateway.client().send(
            "POST", "/v1/watchlists", json: .object(["name": .string(name)]))
        try WatchlistRows.print([made], json: json)
    }
}

/// The command `bitpal watchlist rename`.
struct WatchlistRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Gives a watchlist another name, and prints it.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Argument(help: "What it is called from now on.") var newName: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.watchlist(name)
        let changed = try await client.send("PATCH", path, json: .object(["name": .string(newName)]))
        try WatchlistRows.print([changed], json: json)
    }
}

/// The command `bitpal watchlist delete`.
struct WatchlistDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a watchlist with all that it holds.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "Do it; without this nothing happens.") var yes = false

    func validate() throws {
        guard yes else { throw ValidationError("say --yes to delete the watchlist \"\(name)\"") }
    }

    func run() async throws {
        let client = try gateway.client()
        try await client.send("DELETE", try await client.watchlist(name), json: nil)
    }
}

extension GatewayClient {
    /// The path of a watchlist by its name.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names when there is none.
    func watchlist(_ name: String) async throws -> String {
        let all = try await list("/v1/watchlists")
        if let found = all.first(where: { $0.text("name") == name }) {
            return "/v1/watchlists/\(found.text("id"))"
        }
        let known = all.map { $0.text("name") }
        let near = NearestNames.symbols(to: name, among: known)
        let hint =
            known.isEmpty
            ? "`bitpal watchlist create NAME` makes one"
            : near.isEmpty
                ? "there are \(known.prefix(8).joined(separator: ", "))"
                : "did you mean \(near.joined(separator: ", "))?"
        throw CommandFailure(.notFound, "there is no watchlist \"\(name)\"; \(hint)")
    }
}

/// Watchlists and what they hold, as a table for people and as lines of JSON.
enum WatchlistRows {
    static func print(_ lists: [JSONValue], json: Bool) throws {
        try ItemRows.print(lists, json: json, [("name", .left), ("created", .left)]) { list in
            [list.cell("name"), list.cell("created")]
        }
    }

    static func print(entriesOf list: JSONValue, json: Bool) throws {
        try ItemRows.print(
            list["entries"]?.elements ?? [], json: json,
            [("instrument", .left), ("last", .right), ("change %", .right), ("", .left)]
        ) { entry in
            let ticker = entry["ticker"] ?? .null
            let change = ticker.text("change_percent")
            return [
                entry.cell("instrument"), ticker.cell("last"),
                .init(change, change.isEmpty ? .plain : change.hasPrefix("-") ? .bad : .good),
                .init(ticker == .null ? "no price yet" : ticker.text("stale"), .warning),
            ]
        }
    }
}
