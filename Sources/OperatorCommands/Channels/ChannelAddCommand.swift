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
            --secret url=…; apns --set bundle=… --secret device=…; web_push --set endpoint=… --set p256dh=… \
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
        let channel = try channel(
            settings: try ChannelFields(set, option: "--set", readsFiles: false).json, secrets: secrets.json,
            &random)
        let user = store.user
        try await store.use { database in
            guard try await database.first(FindChannel(name, of: user)) == nil else {
                throw ChannelFault(
                    field: "name", value: "\"\(name)\"", accepted: "a name that no channel of yours has"
                ).failure
            }
            try await database.execute(PutChannel(channel))
            if channel.verified == nil { try await ChannelCode.send(to: channel, in: database) }
        }
        try StandardOutput.say("\"\(name)\" is added")
        if let made { try StandardOutput.say("its key, shown this once: \(made)") }
        if channel.verified == nil {
            try StandardOutput.say(ChannelCode.announcement(of: name))
        }
    }

    /// - Throws: ``CommandFailure`` that names the field, the value and what is accepted.
    private func channel(
        settings: String, secrets: String, _ random: inout some RandomNumberGenerator
    ) throws -> Channel {
        let now = Timestamp.now
        do {
            guard (1...64).contains(name.utf8.count) else {
                throw ChannelFault(field: "name", value: "\"\(name.prefix(70))\"", accepted: "1 to 64 bytes")
            }
            _ = try ChannelSettings(
                kind: kind, settings: settings, secrets: secrets, policy: allowPrivate ? .anything : .strict)
            guard let known = ChannelKind(rawValue: kind) else {
                throw ChannelFault(field: "kind", value: kind, accepted: "one of the kinds")
            }
            return Channel(
                id: UniqueID(version7At: now.nanoseconds, using: &random), user: store.user, name: name,
                kind: known, settings: settings, secrets: ChannelSecrets(json: secrets),
                manners: try manners(), created: now, verified: known == .email ? nil : now)
        } catch let fault as ChannelFault {
            throw fault.failure
        }
    }

    private func manners() throws -> ChannelManners {
        var manners = ChannelManners()
        if let locale {
            guard Language.best(for: [locale]).tag == locale.lowercased().prefix(while: { $0.isLetter })
            else {
                let tags = Language.all.map(\.tag).joined(separator: ", ")
                throw ChannelFault(field: "locale", value: locale, accepted: "one of \(tags)")
            }
            manners.locale = locale
        }
        if let timeZone {
            guard ZoneDirectory.system.offsets(of: timeZone) != nil else {
                throw ChannelFault(
                    field: "time-zone", value: timeZone, accepted: "a name such as Europe/Berlin or UTC")
            }
            manners.timeZone = timeZone
        }
        manners.perMinute = try bounded("per-minute", perMinute, manners.perMinute)
        manners.perHour = try bounded("per-hour", perHour, manners.perHour)
        if let quiet {
            guard let hours = QuietText.parse(quiet) else {
                throw ChannelFault(
                    field: "quiet", value: quiet, accepted: "two different times as in 22:00-07:00")
            }
            manners.quiet = hours
        }
        return manners
    }

    private func bounded(_ field: String, _ value: Int?, _ standard: Int) throws -> Int {
        guard let value else { return standard }
        guard (1...1_000_000).contains(value) else {
            throw ChannelFault(field: field, value: "\(value)", accepted: "1...1000000")
        }
        return value
    }
}

extension ChannelFault {
    var failure: CommandFailure { CommandFailure(.failed, description) }
}

extension WebhookSettings {
    /// 32 bytes of chance as Standard Webhooks writes keys.
    fileprivate static func newKey(using random: inout some RandomNumberGenerator) -> String {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let isThere = place <= group.count
                text.append(isThere ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : 0x3D)
            }
        }
        return "whsec_" + String(decoding: text, as: UTF8.self)
    }
}

/// Times of a day as `22:00-07:00`.
enum QuietText {
    static func parse(_ text: String) -> ChannelManners.Quiet? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(minute)
        guard ends.count == 2, let from = ends[0], let to = ends[1], from != to else { return nil }
        return ChannelManners.Quiet(from: from, to: to)
    }

    static func format(_ quiet: ChannelManners.Quiet) -> String {
        "\(format(quiet.from))-\(format(quiet.to))"
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func format(_ minute: Int) -> String {
        let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts.joined(separator: ":")
    }
}
