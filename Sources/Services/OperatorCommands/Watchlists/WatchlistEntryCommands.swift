import ArgumentParser
import JSON

/// The command `bitpal watchlist add`.
struct WatchlistAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Puts instruments at the end of a watchlist, and prints what it holds.",
        discussion: "One that is refused ends the command; those before it stay, as the message says.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var entries: WatchlistEntries
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.watchlist(entries.list)
        try await entries.each("added") { name in
            try await client.send("POST", path + "/entries", json: .object(["instrument": .string(name)]))
        }
        try WatchlistRows.print(entriesOf: try await client.get(path, [("quotes", "true")]), json: json)
    }
}

/// The command `bitpal watchlist remove`.
struct WatchlistRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes instruments off a watchlist, and prints what it holds.",
        discussion: "One that is not there ends the command; those before it are gone, as the message says.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var entries: WatchlistEntries
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.watchlist(entries.list)
        try await entries.each("removed") { name in
            try await client.send("DELETE", "\(path)/entries/\(GatewayClient.part(name))", json: nil)
        }
        try WatchlistRows.print(entriesOf: try await client.get(path, [("quotes", "true")]), json: json)
    }
}

/// The command `bitpal watchlist order`.
struct WatchlistOrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Puts the instruments of a watchlist in another order: those named first, then the others.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var entries: WatchlistEntries
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.watchlist(entries.list)
        let known = try await client.get(path)["entries"]?.elements.map { $0.text("instrument") } ?? []
        let others = known.filter { !entries.instruments.contains($0) }
        let order = (entries.instruments + others).map { JSONValue.string($0) }
        try await client.send("PUT", path + "/order", json: .object(["instruments": .array(order)]))
        try WatchlistRows.print(entriesOf: try await client.get(path, [("quotes", "true")]), json: json)
    }
}

/// A watchlist and some instruments.
struct WatchlistEntries: ParsableArguments {
    @Argument(help: "The watchlist's name.") var list: String
    @Argument(help: "Instruments, such as kraken:BTC/USD.") var instruments: [String]

    /// Does something with each; an error says what was done before.
    func each(_ verb: String, _ body: (String) async throws -> Void) async throws {
        var done: [String] = []
        for name in instruments {
            do {
                try await body(name)
            } catch let failure as CommandFailure where !done.isEmpty {
                throw CommandFailure(
                    failure.status, "\(failure.description); \(verb) before: \(done.joined(separator: ", "))")
            }
            done.append(name)
        }
    }
}
