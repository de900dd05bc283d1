import AlertStore
public import ArgumentParser
import Instruments
import Store

/// `bitpal channel …`: where people are told.
public struct ChannelCommand: AsyncParsableCommand {
    /// How the parser presents it.
    public static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Where alerts are told: webhooks, letters, chats, pushes, commands.",
        subcommands: [
            ChannelAddCommand.self, ChannelListCommand.self, ChannelShowCommand.self,
            ChannelVerifyCommand.self, ChannelTestCommand.self, ChannelEnableCommand.self,
            ChannelDisableCommand.self, ChannelRemoveCommand.self, ChannelVAPIDCommand.self,
            ChannelUnsubscribeCommand.self,
        ])

    /// An unconfigured command, for the parser.
    public init() {}
}

extension AlertStoreOptions {
    /// - Throws: ``CommandFailure`` when there is none of that name.
    func channel(_ name: String, in database: Database) async throws -> Channel {
        let found = try await database.withSession { [user] in try $0.channel(name, of: user) }
        guard let channel = found else {
            throw CommandFailure(
                .notFound, "there is no channel \"\(name)\"; `bitpal channel list` shows those that there are"
            )
        }
        return channel
    }
}

/// The command `bitpal channel list`.
struct ChannelListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your channels by name, without their secrets.")

    @OptionGroup var store: AlertStoreOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let user = store.user
        let channels = try await store.use { database in
            try await database.withSession { try $0.channels(of: user) }
        }
        try ChannelRows(channels).print(json: json)
    }
}

/// The command `bitpal channel show`.
struct ChannelShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One channel in full, without its secrets.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its name.") var name: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let channel = try await store.use { try await store.channel(name, in: $0) }
        if json { return try ChannelRows([channel]).print(json: true) }
        try Terminal().print(ChannelRows.page(channel))
    }
}

/// The command `bitpal channel verify`.
struct ChannelVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Says the code that was sent to a channel, so that it can be used.",
        discussion: "Without a code another is sent. A wrong one ends the one that was sent.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "The channel's name.") var name: String
    @Argument(help: "The code from the letter.") var code: String?

    func run() async throws {
        let user = store.user
        try await store.use { database in
            let channel = try await store.channel(name, in: database)
            guard channel.verified == nil else { return try StandardOutput.say("\"\(name)\" is verified") }
            guard let code else {
                try await ChannelConfirmation.send(to: channel, in: database)
                return try StandardOutput.say(ChannelConfirmation.announcement(of: name))
            }
            let isVerified = try await database.withSession { [name] in
                try $0.verifyChannel(name, of: user, code: code)
            }
            guard isVerified else {
                throw CommandFailure(
                    .failed,
                    "field \"code\" is \"\(code.prefix(64))\": accepted is the last code that was sent, once; "
                        + "`bitpal channel verify \(name)` sends another")
            }
            try StandardOutput.say("\"\(name)\" is verified")
        }
    }
}

/// What is sent to a channel so that its owner can say it.
enum ChannelConfirmation {
    /// What to say when a code was given out; whether there is a relay only the notifier knows.
    static func announcement(of name: String) -> String {
        "a code is on its way, if the notifier has a mail relay (mail.host): without one no letter leaves; "
            + "then: bitpal channel verify \(name) CODE"
    }

    static func send(to channel: Channel, in database: Database) async throws {
        try await database.transaction { session in
            var random = SystemRandomNumberGenerator()
            try session.sendCode(to: channel, at: .now, using: &random)
        }
    }
}

/// The command `bitpal channel test`.
struct ChannelTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Sends a test message through the outbox and says what became of it.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "The channel's name.") var name: String
    @Flag(help: "Do not wait for the outcome.") var noWait = false

    /// How often the outbox is looked at, and how long in all.
    private static let looks = 300

    func run() async throws {
        let user = store.user
        try await store.use { database in
            let channel = try await store.channel(name, in: database)
            guard channel.isUsable else {
                let why = channel.verified == nil ? "not verified" : "disabled"
                throw CommandFailure(
                    .failed,
                    "field \"name\" is \"\(name)\", which is \(why): accepted is a channel that is verified "
                        + "and enabled, see `bitpal channel verify` and `enable`")
            }
            var random = SystemRandomNumberGenerator()
            let id = UniqueID(version7At: Timestamp.now.nanoseconds, using: &random)
            let notice = OutboxNotice(.test, time: .now)
            try await database.execute(.addNotice(notice, id, to: channel.id))
            if noWait { return try StandardOutput.say("\(id)") }
            for _ in 0..<ChannelTestCommand.looks {
                let row = try await database.withSession { try $0.delivery(id, of: user) }
                if row?.state == "delivered" { return try StandardOutput.say("delivered, as \(id)") }
                if let error = row?.error { throw CommandFailure(.failed, "not delivered: \(error)") }
                try await Task.sleep(for: .milliseconds(100))
            }
            throw CommandFailure(
                .unreachable,
                "nobody took it yet; is a notifier running? `bitpal deliveries show \(id)` says more"
            )
        }
    }
}

/// The command `bitpal channel enable`.
struct ChannelEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Tells by a channel again; what waited for it is told then.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its name.") var name: String

    func run() async throws { try await store.set(name, enabled: true) }
}

/// The command `bitpal channel disable`.
struct ChannelDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Tells nothing by a channel until it is enabled.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its name.") var name: String

    func run() async throws { try await store.set(name, enabled: false) }
}

/// The command `bitpal channel remove`.
struct ChannelRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forgets a channel, with what waits for it and what it was told.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "Its name.") var name: String

    func run() async throws {
        let user = store.user
        try await store.use { database in
            _ = try await store.channel(name, in: database)
            try await database.transaction { [name] in try $0.removeChannel(name, of: user, at: .now) }
        }
        try StandardOutput.say("\"\(name)\" is removed")
    }
}

extension AlertStoreOptions {
    fileprivate func set(_ name: String, enabled isEnabled: Bool) async throws {
        let user = user
        try await use { database in
            _ = try await channel(name, in: database)
            try await database.withSession { try $0.setChannel(name, of: user, enabled: isEnabled) }
        }
        try StandardOutput.say("\"\(name)\" is \(isEnabled ? "enabled" : "disabled")")
    }
}
