import ArgumentParser
import JSON

struct AlertExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Why a rule fired or did not.",
        discussion: """
            From what its alert-evaluator last stored, which is some seconds old at the most while one runs: \
            the last evaluations with the message and the trade that each was made for, the last value, \
            cooldown, whether the data that the rule needs can be believed, and what became of its last \
            firing by each channel: delivered, held back and why, or dead.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its id.") var id: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let explanation = try await client.get("\(RuleArguments.path(of: id))/explain")
        if json { return try ItemRows.lines([explanation]) }
        let rule = try ListedRule(try await client.rule(id))
        try Terminal().print(ExplanationPage.lines(explanation, of: rule))
    }
}

struct AlertTestFireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-fire", abstract: "Sends a notification of a rule as if it had fired.",
        discussion: "The rule stays as it is; its history says that it was a test.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its id.") var id: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let told = try await client.send("POST", "\(RuleArguments.path(of: id))/test-fire", json: nil)
        if json { return try ItemRows.lines([told]) }
        try StandardOutput.say(
            "notification \(told.text("epoch")) of \(told.text("rule")) waits to be delivered, as a test")
    }
}
