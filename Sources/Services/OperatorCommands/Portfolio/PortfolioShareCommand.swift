import ArgumentParser
import JSON
import LedgerFiles

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

struct PortfolioShareCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a link, and prints its secret, which is not stored.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Option(help: "For how many days it opens.") var days = 30
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard (1...3_650).contains(days) else {
            throw ValidationError("--days is \(days); accepted is 1...3650")
        }
    }

    func run() async throws {
        let client = try gateway.client()
        let made = try await client.send(
            "POST", "\(client.path(of: portfolio))/shares", json: .object(["days": .integer(days)]))
        guard json else { return try StandardOutput.say(made.text("token")) }
        let link: JSONObject = [
            "id": made["id"] ?? .null, "secret": made["token"] ?? .null, "expires": made["expires"] ?? .null,
        ]
        try ItemRows.lines([.object(link)])
    }
}

struct PortfolioShareListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The links of a portfolio, with those that are over.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let links = try await client.list("\(client.path(of: portfolio))/shares")
        try ItemRows.print(
            links, json: json,
            [.member("id"), .member("state"), .member("created"), .member("expires")])
    }
}

struct PortfolioShareRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Makes a link show nothing any more.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "The link's id.") var id: String

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.path(of: portfolio)
        try await client.send("DELETE", "\(path)/shares/\(GatewayClient.part(id))", json: nil)
    }
}

struct PortfolioShareOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "What a link shows.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The link's secret.") var secret: String
    @Option(help: "Of a link of yours: prices, CSV with the header time,asset,currency,price.")
    var prices: String?
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let view = try await view()
        if json { return try ItemRows.lines([view]) }
        let output = StandardOutput()
        for part in view["allocation"]?.elements ?? [] {
            try output.writeLine("\(part.text("asset"))  \(Self.range(part["share"]))")
        }
        try output.writeLine("return  \(Self.range(view["return"]))")
        try output.flush()
    }

    private func view() async throws -> JSONValue {
        let client = try gateway.client()
        let path = "/v1/shared/\(GatewayClient.part(secret))"
        guard let prices else { return try await client.get(path) }
        let text = try LedgerOptions.located(prices) { () throws(FileFault) in try FileBytes.text(prices) }
        do {
            return try await client.send("POST", path, json: .object(["prices": .string(text)]))
        } catch let failure as CommandFailure {
            throw failure.inFile(prices)
        }
    }

    /// `25 % to 50 %`, `below -50 %` or `100 % and more`.
    private static func range(_ percent: JSONValue?) -> String {
        switch (percent?["from"]?.text, percent?["to"]?.text) {
        case (let from?, let to?): "\(from) % to \(to) %"
        case (nil, let to?): "below \(to) %"
        case (let from?, nil): "\(from) % and more"
        case (nil, nil): "unknown"
        }
    }
}
