import ArgumentParser
import Channels
import JSON

struct ChannelAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a channel.",
        discussion: """
            Settings by kind: \(ChannelUsage.options(of: .standard)). A secret may be read from a file: \
            --secret token=@FILE. A webhook's key is made and shown once unless it is given. A letter's \
            address is sent a code first, see `bitpal channel verify`.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "\(ChannelCatalogue.standard.choice).") var kind: String
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
        let channel = try await add()
        try StandardOutput.say("\"\(name)\" is added")
        if let key = channel["key"]?.text { try StandardOutput.say("its key, shown this once: \(key)") }
        if channel["verified"]?.text == nil {
            try StandardOutput.say(ChannelVerifyCommand.announcement(of: name))
        }
    }

    private func add() async throws -> JSONValue {
        let body = try body()
        do {
            return try await gateway.client().send("POST", "/v1/channels", json: .object(body))
        } catch let failure as CommandFailure {
            throw Self.inOptions(failure)
        }
    }

    private func body() throws -> JSONObject {
        let settings = try ChannelFields(set, option: "--set", readsFiles: false)
        let secrets = try ChannelFields(secret, option: "--secret", readsFiles: true)
        var body: JSONObject = ["kind": .string(kind), "name": .string(name), "settings": settings.json]
        if !secrets.isEmpty { body["secrets"] = secrets.json }
        for (key, text) in [("locale", locale), ("time_zone", timeZone), ("quiet", quiet)] {
            body[key] = text.map { .string($0) }
        }
        for (key, number) in [("per_minute", perMinute), ("per_hour", perHour)] {
            body[key] = number.map { .integer($0) }
        }
        if allowPrivate { body["allow_private"] = .bool(true) }
        return body
    }

    /// Outside settings and secrets a field is an option of this command, and named as one.
    private static func inOptions(_ failure: CommandFailure) -> CommandFailure {
        let field = failure.description.prefix { $0 != " " }
        guard !field.contains(".") else { return failure }
        let option = String(field.map { $0 == "_" ? "-" : $0 })
        return CommandFailure(failure.status, option + failure.description.dropFirst(field.count))
    }
}
