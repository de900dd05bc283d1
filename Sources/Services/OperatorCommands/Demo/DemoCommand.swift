import ArgumentParser
import JSON

/// The command group `bitpal demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "What `bitpal up --profile demo` has to show.",
        subcommands: [DemoSampleCommand.self])
}

struct DemoSampleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Gives you a sample watchlist, portfolio and rules; of the demo alone.",
        discussion: """
            The portfolio has two years of transactions at the demo's own prices, and the rules have \
            something to tell within minutes. A second time it is refused as long as the first is there.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The name of the watchlist and the portfolio.") var name = "Sample"
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let body: JSONObject = ["name": .string(name)]
        let made = try await gateway.client().send("POST", "/v1/demo/sample", json: .object(body))
        if json { return try ItemRows.lines([made]) }
        let output = StandardOutput()
        let (rows, rules) = (made["transactions"]?.integer ?? 0, made["alerts"]?.elements.count ?? 0)
        try output.writeLine(
            "Made a watchlist and a portfolio \"\(name)\" with \(rows) transactions, and \(rules) rules.")
        try output.writeLine(
            "`bitpal portfolio value \"\(name)\"` and `bitpal alert list` show what comes of it.")
        try output.flush()
    }
}
