import AlertStore
import ArgumentParser
import Channels
import Instruments
import Store

/// The command `bitpal channel vapid`.
struct ChannelVAPIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vapid",
        abstract: "The public key that browsers subscribe with; made at the first use and kept.",
        discussion: """
            It is what a page gives to PushManager.subscribe as applicationServerKey. A notifier with a \
            vapid.key of its own uses that one instead.
            """)

    @OptionGroup var store: AlertStoreOptions

    func run() async throws {
        let secret = try await store.use { database in
            try await store.database.keptKey(.vapid, orNew: VAPIDKey.newKey().bytes, in: database)
        }
        guard let text = VAPIDKey.publicText(of: Secret(bytes: secret)) else {
            throw CommandFailure(.failed, "the key that is kept in alerts.signing_key is none")
        }
        try StandardOutput.say(text)
    }
}

/// The command `bitpal channel unsubscribe`.
struct ChannelUnsubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsubscribe",
        abstract: "Does what the link at the end of a letter does: switches its channel off.")

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "What follows token= in the link.") var token: String

    func run() async throws {
        var random = SystemRandomNumberGenerator()
        let fresh = (0..<UnsubscribeKey.size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        try await store.use { database in
            let secret = try await store.database.keptKey(.unsubscribe, orNew: fresh, in: database)
            guard let text = UnsubscribeKey(Secret(bytes: secret)).channel(of: token),
                let channel = UniqueID(text)
            else {
                throw FieldFault(
                    "token", "\"\(token.prefix(60))\"", accepted: "one from a letter's link"
                ).failure
            }
            try await database.withSession { try $0.disableChannel(channel) }
        }
        try StandardOutput.say("switched off; `bitpal channel enable NAME` switches it on again")
    }
}
