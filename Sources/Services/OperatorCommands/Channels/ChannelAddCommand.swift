import AlertStore
import ArgumentParser
import Channels
import Instruments
import Store

/// The command `bitpal channel add`.
struct ChannelAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a channel.",
        discussion: """
            Settings by kind: webhook --set url=…; email --set to=… [--set name=…]; telegram --set chat=… \
            --secret token=…; ntfy --set server=… --set topic=… [--secret token=…]; slack and discord \
            --secret url=…; apns [--set bundle=…] \
            [--set form=live_activity] --secret device=…; web_push --set endpoint=… --set p256dh=… \
            --secret auth=…; command --set arguments=/path --set arguments=WORD …. A secret may be read from \
            a file: --secret token=@FILE. A webhook's key is made and shown once unless it is given \
            (--secret keys=whsec_…). A letter's address is sent a code first, see `bitpal channel verify`.
            """)

    @OptionGroup var store: AlertStoreOptions
    @Argument(help: "webhook, email, telegram, ntfy, slack, discord, apns, web_push or command.")
    var kind: String
    @Argument(help: "What rules call it, 1 to 64 bytes.") var name: String
    @Option(help: "A setting as KEY=VALUE; again for a list.") var set: [String] = []
    @Option(help: "A secret as KEY=VALUE or KEY=@FILE; again for a list.") var secret: [String] = []
    @Option(help: "The language of texts, such as de.") var locale: String?
    @Option(help: "The zone of times and quiet hours, such as Europe/Berlin.") var timeZone: String?
    @Option(help: "Firings told one by one within a minute; the others come in a digest.") var perMinute: Int?
    @Option(help: "Firings told within an hour; then it is quiet.") var perHour: Int?
    @Option(help: "When nothing is told, as HH:MM-HH:MM.") var quiet: String?
    @Flag(help: "Accept http, any port and private addresses; the notifier must allow them too.")
    var allowPrivate = false

    func run() async throws {
        var random = SystemRandomNumberGenerator()
        var secrets = try ChannelFields(secret, option: "--secret", readsFiles: true)
        var made: String?
        if kind == ChannelKind.webhook.rawValue, secrets.isEmpty {
            let key = WebhookSettings.newKey(using: &random)
            secrets.add("keys", key)
            made = key
        }
        let wish = wish(
            settings: try ChannelFields(set, option: "--set", readsFiles: false).json, secrets: secrets.json)
        let user = store.user
        let channel = try await store.use { database in
            let standard = try await database.withSession { try $0.standardManners(of: user) }
            let channel = try self.channel(wish, over: standard)
            let same = try await database.withSession { [name] in try $0.channel(name, of: user) }
            guard same == nil else {
                throw FieldFault(
                    "name", "\"\(name)\"", accepted: "a name that no channel of yours has"
                ).failure
            }
            let vault =
                channel.secrets.isEmpty ? nil : try await store.database.requiredVault(for: database)
            let sealed = try channel.sealed(by: vault)
            try await database.withSession { try $0.put(sealed) }
            if channel.verified == nil { try await ChannelConfirmation.send(to: channel, in: database) }
            return channel
        }
        try StandardOutput.say("\"\(name)\" is added")
        if let made { try StandardOutput.say("its key, shown this once: \(made)") }
        if channel.verified == nil {
            try StandardOutput.say(ChannelConfirmation.announcement(of: name))
        }
    }

    private func wish(settings: String, secrets: String) -> ChannelWish {
        var wish = ChannelWish(kind: kind, name: name, settings: settings, secrets: secrets)
        wish.locale = locale
        wish.timeZone = timeZone
        wish.perMinute = perMinute
        wish.perHour = perHour
        wish.quiet = quiet
        wish.allowsPrivate = allowPrivate
        return wish
    }

    /// - Throws: ``CommandFailure`` that names the field, the value and what is accepted.
    private func channel(_ wish: ChannelWish, over standard: ChannelManners) throws -> Channel {
        var random = SystemRandomNumberGenerator()
        do {
            return try wish.channel(of: store.user, at: .now, over: standard, using: &random)
        } catch {
            var fault = error
            // Outside settings and secrets a field is an option of this command, and named as one.
            if !fault.field.contains(".") { fault.field = String(fault.field.map { $0 == "_" ? "-" : $0 }) }
            throw fault.failure
        }
    }
}

extension FieldFault {
    var failure: CommandFailure { CommandFailure(.failed, description) }
}
