import ArgumentParser

struct ChannelVAPIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vapid",
        abstract: "The public key that browsers subscribe with; made at the first use and kept.",
        discussion: """
            It is what a page gives to PushManager.subscribe as applicationServerKey: the key that the \
            gateway and the notifier keep, or the one of vapid.key, which both must have then.
            """)

    @OptionGroup var gateway: GatewayOptions

    func run() async throws {
        try StandardOutput.say(try await gateway.client().get("/v1/push/key").text("key"))
    }
}

struct ChannelUnsubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsubscribe",
        abstract: "Does what the link at the end of a letter does: switches its channel off.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "What follows token= in the link.") var token: String

    func run() async throws {
        try await gateway.client().send("POST", "/unsubscribe", [("token", token)], json: nil)
        try StandardOutput.say("switched off; `bitpal channel enable NAME` switches it on again")
    }
}
