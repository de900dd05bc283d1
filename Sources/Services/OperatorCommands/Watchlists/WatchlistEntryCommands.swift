import ArgumentParser
import JSON

struct WatchlistShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "The entries of a watchlist in their order, with what they cost now.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The watchlist's name.") var name: String
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let list = try await client.get(client.watchlistPath(name), [("quotes", "true")])
        try WatchlistRows.print(pricesOf: list, json: json)
    }
}

struct WatchlistAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Puts instruments at the end of a watchlist, all of them or none, and prints its entries.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var entries: WatchlistEntries
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try WatchlistRows.print(entriesOf: try await entries.change("add", gateway.client()), json: json)
    }
}

struct WatchlistRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Takes instruments off a watchlist, all of them or none, and prints what is left.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var entries: WatchlistEntries
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try WatchlistRows.print(entriesOf: try await entries.change("remove", gateway.client()), json: json)
    }
}

struct WatchlistOrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Puts instruments at the head of a watchlist in this order, and prints its entries.",
        discussion: "Those that are not named follow in the order that they have.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var entries: WatchlistEntries
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.watchlistPath(entries.name)
        let known = (try await client.get(path)["entries"]?.elements ?? []).map { $0.text("instrument") }
        let named = entries.instruments
        if let unknown = named.first(where: { !known.contains($0) }) {
            throw CommandFailure(.notFound, "the list has no entry \(unknown)")
        }
        let order = named + known.filter { !named.contains($0) }
        let body: JSONObject = ["instruments": .array(order.map { .string($0) })]
        let list = try await client.send("PUT", "\(path)/order", json: .object(body))
        try WatchlistRows.print(entriesOf: list, json: json)
    }
}

/// Some entries of a watchlist.
struct WatchlistEntries: ParsableArguments {
    @Argument(help: "The watchlist's name.") var name: String
    @Argument(
        help: ArgumentHelp(
            "Such as kraken:BTC/USD; to add one, also a coin such as bitcoin or BTC: its best market.",
            valueName: "instrument"))
    var instruments: [String]

    /// Adds or removes them; the watchlist as it is then.
    ///
    /// - Throws: ``CommandFailure``.
    func change(_ action: String, _ client: GatewayClient) async throws -> JSONValue {
        // What has no venue is a coin; off a list goes what stands there.
        let names = instruments.map { action == "add" && !$0.contains(":") ? "coin:\($0)" : $0 }
        let body: JSONObject = [
            "instruments": .array(names.map { .string($0) }), "action": .string(action),
        ]
        let path = try await client.watchlistPath(name)
        return try await client.send("POST", "\(path)/entries/bulk", json: .object(body))
    }
}
