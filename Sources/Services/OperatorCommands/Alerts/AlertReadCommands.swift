import ArgumentParser
import JSON

struct AlertListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your rules, in the order in which they were made.")

    @OptionGroup var gateway: GatewayOptions
    @Option(help: "Only those with this tag.") var tag: String?
    @Option(help: "Only those that are armed, disabled or done.") var state: RuleStateName?
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let rules = try await gateway.client().list(
            "/v1/alerts", [("state", state?.rawValue), ("tag", tag)])
        try RuleRows.print(rules, json: json)
    }
}

/// What a rule can be, as a person types it.
enum RuleStateName: String, ExpressibleByArgument, CaseIterable {
    case armed, disabled, done
}

struct AlertExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Your rules as JSON lines, for import and backtest.",
        discussion: "Whether a rule is switched on is not part of it: see --state, and import's --disabled.")

    @OptionGroup var gateway: GatewayOptions
    @Option(help: "Only those that are armed, disabled or done.") var state: RuleStateName?

    func run() async throws {
        let export = try await gateway.client().get("/v1/alerts/export", [("state", state?.rawValue)])
        try ItemRows.lines(export["rules"]?.elements ?? [])
    }
}

struct AlertShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "One rule in full.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its id.") var id: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let rule = try await gateway.client().rule(id)
        if json { return try ItemRows.lines([rule]) }
        try Terminal().print(RuleRows.page(try ListedRule(rule)))
    }
}

struct AlertHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What happened to a rule, newest first; also to a deleted one.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its id.") var id: String
    @Option(help: "At most so many events.") var limit = 100
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); accepted is 1...10000")
        }
    }

    func run() async throws {
        let events = try await gateway.client().list(
            "\(RuleArguments.path(of: id))/history", limit: limit)
        try HistoryRows.print(events, json: json)
    }
}
