import ArgumentParser
import JSON

struct PortfolioCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Makes a portfolio.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Option(help: "The currency of its costs, gains and values. Default: your account's.") var base: String?
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        var body: JSONObject = ["name": .string(name)]
        if let base { body["base"] = .string(base) }
        let made = try await gateway.client().send("POST", "/v1/portfolios", json: .object(body))
        try PortfolioListCommand.print([made], json: json)
    }
}

struct PortfolioListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your portfolios, by name.")

    @OptionGroup var gateway: GatewayOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try Self.print(try await gateway.client().list("/v1/portfolios"), json: json)
    }

    static func print(_ portfolios: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            portfolios, json: json,
            [
                .member("name"), .member("base"), .member("change", .right, as: "changes"),
                .member("changed"),
            ])
    }
}

struct PortfolioDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a portfolio with all that it contains.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "Do it; without this nothing happens.") var yes = false

    func validate() throws {
        guard yes else { throw ValidationError("say --yes to delete the portfolio \"\(name)\"") }
    }

    func run() async throws {
        let client = try gateway.client()
        try await client.send("DELETE", try await client.path(of: name), json: nil)
    }
}

/// The command group `bitpal portfolio wallet`.
struct PortfolioWalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "The wallets of a portfolio.",
        subcommands: [PortfolioWalletAddCommand.self, PortfolioWalletListCommand.self])
}

struct PortfolioWalletAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a wallet, or changes the kind and note of one.",
        discussion: "Of one that is there what is not named stays as it was.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "The wallet's name.") var name: String
    @Option(help: "exchange, address, cold or other. Default of a new one: other.") var kind: String?
    @Option(help: "Anything, such as the address.") var note: String?

    func run() async throws {
        var body: JSONObject = ["name": .string(name)]
        if let kind { body["kind"] = .string(kind) }
        if let note { body["note"] = .string(note) }
        let client = try gateway.client()
        try await client.send("POST", "\(client.path(of: portfolio))/wallets", json: .object(body))
    }
}

struct PortfolioWalletListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The wallets of a portfolio, by name.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let wallets = try await client.list("\(client.path(of: portfolio))/wallets")
        try ItemRows.print(
            wallets, json: json, [.member("name"), .member("kind"), .member("note")])
    }
}
