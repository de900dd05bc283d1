import ArgumentParser
import JSON

struct AlertCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a rule, and prints it.",
        discussion: """
            A rule on a price is made with flags: bitpal alert create --instrument binance-usdm:BTCUSDT \
            --above 61000.5 --cooldown 1h --hysteresis 10. Every other with --rule JSON, without an id or \
            with a UUID of its own: {"instrument":"kraken:BTC/USD","condition":…} with one of


            """ + RuleForms.conditions + """


                "direction" is up, down or either, "against" start or extreme, "crosses" above, below or either. \
                Prices are last, bid, ask, mid, mark and index; of an index alone the instrument is such as \
                index:BTC-USD, and rules on a portfolio or a listing have none. Beside the condition:


                """ + RuleForms.options)

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var flags: RuleFlags
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let rule = try await gateway.client().send("POST", "/v1/alerts", json: flags.json)
        try RuleRows.print([rule], json: json)
    }
}

struct AlertEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes rules, all of those named or none, and prints them.",
        discussion: """
            What is given replaces that field of each rule; a field that is null in --rule goes. A rule \
            whose condition or options change begins anew, as if it had just been made.
            """)

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var rules: RuleArguments
    @OptionGroup var flags: RuleFlags
    @Option(help: "Only if this version is in force, as `bitpal alert show` says.") var version: Int64?
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard !flags.isEmpty else { throw ValidationError("say what to change: --rule JSON or other flags") }
    }

    func run() async throws {
        var more: JSONObject = ["change": try flags.json]
        more["version"] = version.map { .integer($0) }
        try RuleRows.print(try await rules.change("edit", more, by: gateway.client()), json: json)
    }
}

struct AlertEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Switches rules on, all of those named or none; they begin anew.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var rules: RuleArguments
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try RuleRows.print(try await rules.change("enable", by: gateway.client()), json: json)
    }
}

struct AlertDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switches rules off, all of those named or none.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var rules: RuleArguments
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try RuleRows.print(try await rules.change("disable", by: gateway.client()), json: json)
    }
}

struct AlertDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes rules, all of those named or none; their history stays.")

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var rules: RuleArguments
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try RuleRows.print(try await rules.change("delete", by: gateway.client()), json: json)
    }
}

struct AlertImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Makes the rules of a file of JSON lines, all of them or none.",
        discussion: """
            An id that is a UUID is kept, so that an export comes back as it was; any other is replaced by a \
            new one, and so are none and that of a rule that you have deleted. An id that a rule has is \
            refused. A gateway takes 1000 rules at a time.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "A file of rules, as `bitpal alert export` prints them.") var file: String
    @Flag(help: "Makes them, but does not switch them on.") var disabled = false
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let file = try RuleLines(path: file)
        let client = try gateway.client()
        // The gateway takes one rule at least.
        guard !file.rules.isEmpty else { return try RuleRows.print([], json: json) }
        let body: JSONObject = ["rules": .array(file.rules), "enabled": .bool(!disabled)]
        do {
            let made = try await client.send("POST", "/v1/alerts/import", json: .object(body))
            try RuleRows.print(made["items"]?.elements ?? [], json: json)
        } catch let failure as CommandFailure {
            throw file.placed(failure)
        }
    }
}
