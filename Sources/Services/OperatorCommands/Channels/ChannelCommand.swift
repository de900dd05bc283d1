package import ArgumentParser
import JSON

/// `bitpal channel …`: where people are told.
package struct ChannelCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Where alerts are told: webhooks, letters, chats, pushes, commands.",
        subcommands: [
            ChannelAddCommand.self, ChannelListCommand.self, ChannelShowCommand.self,
            ChannelVerifyCommand.self, ChannelTestCommand.self, ChannelEnableCommand.self,
            ChannelDisableCommand.self, ChannelRemoveCommand.self, ChannelVAPIDCommand.self,
            ChannelUnsubscribeCommand.self,
        ])

    /// An unconfigured command, for the parser.
    package init() {}
}

struct ChannelListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your channels by name, without their secrets.")

    @OptionGroup var gateway: GatewayOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        try ChannelRows.print(try await gateway.client().list("/v1/channels"), json: json)
    }
}

struct ChannelShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One channel in full, without its secrets.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let channel = try await gateway.client().channel(name)
        if json { return try ChannelRows.print([channel], json: true) }
        try Terminal().print(ChannelRows.page(channel))
    }
}

struct ChannelVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Says the code that was sent to a channel, so that it can be used.",
        discussion: "Without a code another is sent. A wrong one ends the one that was sent.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The channel's name.") var name: String
    @Argument(help: "The code from the letter.") var code: String?

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.channelPath(name)
        let body: JSONObject = code.map { ["code": .string($0)] } ?? [:]
        let channel = try await client.send("POST", "\(path)/confirm", json: .object(body))
        let isVerified = channel["verified"]?.text != nil
        try StandardOutput.say(isVerified ? "\"\(name)\" is verified" : Self.announcement(of: name))
    }

    /// What to say when a code was sent: whether there is a relay only the notifier knows.
    static func announcement(of name: String) -> String {
        "a code is on its way, if the notifier has a mail relay (mail.host): without one no letter leaves; "
            + "then: bitpal channel verify \(name) CODE"
    }
}

struct ChannelTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Sends a test message through the outbox and says what became of it.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The channel's name.") var name: String
    @Flag(help: "Do not wait for the outcome.") var noWait = false

    /// How often the outbox is looked at.
    private static let looks = 300

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.channelPath(name)
        let id = try await client.send("POST", "\(path)/test", json: nil).text("delivery")
        if noWait { return try StandardOutput.say(id) }
        for _ in 0..<ChannelTestCommand.looks {
            let row = try await client.get("/v1/deliveries/\(id)")
            if row.text("state") == "delivered" { return try StandardOutput.say("delivered, as \(id)") }
            if let error = row["last_error"]?.text {
                throw CommandFailure(.failed, "not delivered: \(error)")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandFailure(
            .unreachable,
            "nobody took it yet; is a notifier running? `bitpal deliveries show \(id)` says more")
    }
}

struct ChannelEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Tells by a channel again; what waited for it is told then.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String

    func run() async throws { try await gateway.set(name, enabled: true) }
}

struct ChannelDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Tells nothing by a channel until it is enabled.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String

    func run() async throws { try await gateway.set(name, enabled: false) }
}

struct ChannelRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forgets a channel, with what waits for it and what it was told.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its name.") var name: String

    func run() async throws {
        let client = try gateway.client()
        try await client.send("DELETE", client.channelPath(name), json: nil)
        try StandardOutput.say("\"\(name)\" is removed")
    }
}

extension GatewayOptions {
    fileprivate func set(_ name: String, enabled isEnabled: Bool) async throws {
        let client = try client()
        let change: JSONObject = ["enabled": .bool(isEnabled)]
        try await client.send("PATCH", client.channelPath(name), json: .object(change))
        try StandardOutput.say("\"\(name)\" is \(isEnabled ? "enabled" : "disabled")")
    }
}
