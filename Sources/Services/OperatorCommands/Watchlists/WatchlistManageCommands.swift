import ArgumentParser
import JSON

struct WatchlistListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your watchlists, in their order.")

    @OptionGroup var gateway: GatewayOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try WatchlistRows.print(lists: try await gateway.client().list("/v1/watchlists"), json: json)
    }
}

struct WatchlistCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a watchlist, the last one of yours.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let body: JSONObject = ["name": .string(name)]
        let made = try await gateway.client().send("POST", "/v1/watchlists", json: .object(body))
        try WatchlistRows.print(lists: [made], json: json)
    }
}

struct WatchlistRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Gives a watchlist another name, and prints it.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Argument(help: "Its name from now on.") var new: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.watchlistPath(name)
        let body: JSONObject = ["name": .string(new)]
        let list = try await client.send("PATCH", path, json: .object(body))
        try WatchlistRows.print(lists: [list], json: json)
    }
}

struct WatchlistDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a watchlist; the market is followed for it no more.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "Print what it was, as one JSON object.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let list = try await client.watchlist(name)
        try await client.send("DELETE", "/v1/watchlists/\(list.text("id"))", json: nil)
        if json { try ItemRows.lines([list]) }
    }
}
