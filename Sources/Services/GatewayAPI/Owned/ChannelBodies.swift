import AccountStore
import AlertStore
import Channels
import Credentials
import GatewayFrame
import Instruments
import JSON
import Shapes

/// How somebody wants to be told, in a body; `AlertStore` checks it.
private enum PreferenceKind {
    static let locale = InputKind.optional(.text)
    static let count = InputKind.optional(InputKind.integer.documented(.integer(in: 1...1_000_000)))
    static let settings = InputKind.optional(.any(.body(ChannelSettingsForm.self)))
    static let secrets = InputKind.optional(.any(.body(ChannelSecretsForm.self)))
    static let allowsPrivate = """
        Accepts http, any port and private addresses; the notifier must allow them, too. Only whoever works \
        on the machine itself may ask for it.
        """
}

/// What nobody may ask for from afar: it lets a channel reach what only the machine reaches.
enum ChannelRights {
    private static let kinds = ChannelKind.allCases.filter { $0.maker != .machine }

    /// Refuses to say what is run on the machine to all who could not run it themselves.
    ///
    /// - Throws: `invalid-field`.
    static func check(_ kind: ChannelKind, by who: Identity) throws(Problem) {
        guard !kinds.contains(kind), !who.isTerminal else { return }
        throw .invalid("kind", kind.rawValue, accepted: kinds.map(\.rawValue).joined(separator: ", "))
    }

    /// Where users' own addresses may lead.
    ///
    /// - Throws: `invalid-field`.
    static func policy(allowsPrivate: Bool?, by who: Identity) throws(Problem) -> DestinationPolicy {
        guard allowsPrivate == true else { return .strict }
        guard who.isTerminal else {
            throw .invalid(
                "allow_private", "true", accepted: "false, but for whoever works on the machine itself")
        }
        return .anything
    }
}

/// A channel as a client asks for it.
struct NewChannel: WireInput {
    static let shape = InputShape(
        "NewChannel",
        Self.init(kind:name:settings:secrets:locale:timeZone:perMinute:perHour:quiet:allowsPrivate:)
    ) {
        InputField(
            "kind", .choice(ChannelKind.self),
            "A command runs a program on the machine: only whoever works there may make or change one.",
            example: "ntfy")
        InputField(
            "name", .name(1...64), "Unique for its owner, 1...64 bytes; what rules call it.", example: "phone"
        )
        InputField(
            "settings", PreferenceKind.settings, example: ["server": "https://ntfy.sh", "topic": "mine"])
        InputField("secrets", PreferenceKind.secrets)
        InputField("locale", PreferenceKind.locale, "The account's where it is missing.")
        InputField("time_zone", .optional(.text), "The account's where it is missing.")
        InputField(
            "per_minute", PreferenceKind.count, "Firings told one by one within a minute; 10 where missing.")
        InputField("per_hour", PreferenceKind.count, "Firings told within an hour; 120 where it is missing.")
        InputField(
            "quiet", .optional(.text), "HH:MM-HH:MM; where it is missing the account's quiet hours hold.")
        InputField("allow_private", .optional(.flag), PreferenceKind.allowsPrivate)
    }

    var kind: ChannelKind
    var name: String
    var settings: JSONValue?
    var secrets: JSONValue?
    var locale: String?
    var timeZone: String?
    var perMinute: Int?
    var perHour: Int?
    var quiet: String?
    var allowsPrivate: Bool?

    /// The wish of the store.
    ///
    /// - Throws: `invalid-field` for what only whoever works on the machine itself may wish.
    func wish(_ secrets: JSONValue?, by who: Identity) throws(Problem) -> ChannelRequest {
        try ChannelRights.check(kind, by: who)
        var wish = ChannelRequest(
            kind: kind.rawValue, name: name, settings: settings?.sortedText ?? "{}",
            secrets: secrets?.sortedText ?? "{}")
        wish.locale = locale
        wish.timeZone = timeZone
        wish.perMinute = perMinute
        wish.perHour = perHour
        wish.quiet = quiet
        wish.allowsPrivate =
            try ChannelRights.policy(allowsPrivate: allowsPrivate, by: who) == .anything
        return wish
    }
}

/// What is to be different about a channel; what is missing stays.
struct ChannelChange: WireInput {
    static let shape = InputShape(
        "ChannelChange",
        Self.init(settings:secrets:locale:timeZone:perMinute:perHour:quiet:isEnabled:allowsPrivate:)
    ) {
        InputField("settings", PreferenceKind.settings, "In place of all that it has.")
        InputField("secrets", PreferenceKind.secrets, "In place of all that it has.")
        InputField("locale", .optional(.text))
        InputField("time_zone", .optional(.text))
        InputField("per_minute", PreferenceKind.count, "Firings told one by one within a minute.")
        InputField("per_hour", PreferenceKind.count, "Firings told within an hour.")
        InputField(
            "quiet", .clearable(.text), "HH:MM-HH:MM; null or nothing in it leaves the account's quiet hours."
        )
        InputField("enabled", .optional(.flag), example: false)
        InputField("allow_private", .optional(.flag), PreferenceKind.allowsPrivate)
    }

    var settings: JSONValue?
    var secrets: JSONValue?
    var locale: String?
    var timeZone: String?
    var perMinute: Int?
    var perHour: Int?
    /// `.some(nil)` for none, as an empty text is.
    var quiet: String??
    var isEnabled: Bool?
    var allowsPrivate: Bool?

    /// The channel as it is to be; its secrets are opened only where they or its settings change.
    ///
    /// - Throws: `Problem` that names the field.
    func applied(
        to stored: AlertStore.Channel, by who: Identity, _ vault: SecretVault?, at now: Timestamp
    ) throws(Problem) -> AlertStore.Channel {
        let policy = try ChannelRights.policy(allowsPrivate: allowsPrivate, by: who)
        guard allowsPrivate == nil || settings != nil || secrets != nil else {
            throw .invalid(
                "allow_private", "\(allowsPrivate == true)", accepted: "only with settings or secrets")
        }
        let old = settings != nil && secrets == nil ? try stored.readable(by: vault) : stored
        var wish = ChannelRequest(
            kind: old.kind.rawValue, name: old.name, settings: settings?.sortedText ?? old.settings,
            secrets: secrets?.sortedText ?? old.secrets.json)
        let hours = quiet.map { $0 ?? "" }
        wish.locale = locale
        wish.timeZone = timeZone
        wish.perMinute = perMinute
        wish.perHour = perHour
        wish.quiet = hours?.isEmpty == true ? nil : hours
        var new = old
        do {
            if settings != nil || secrets != nil {
                try ChannelRights.check(old.kind, by: who)
                _ = try ChannelSettings(
                    kind: wish.kind, settings: wish.settings, secrets: wish.secrets, policy: policy)
            }
            new.preferences = try wish.preferences(over: old.preferences)
        } catch let fault as FieldFault {
            throw Problem(fault)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.internal, "the channel cannot be changed")
        }
        if hours?.isEmpty == true { new.preferences.quiet = nil }
        // Another address is another one to be confirmed.
        if old.kind.wantsCode, settings != nil, wish.settings != old.settings { new.verified = nil }
        new.settings = wish.settings
        if settings != nil || secrets != nil { new.secrets = ChannelSecrets(json: wish.secrets) }
        if let isEnabled { new.disabled = isEnabled ? nil : old.disabled ?? now }
        return new
    }
}

/// What was sent to a channel, as its owner read it there.
struct ChannelCode: WireInput {
    static let shape = InputShape("ChannelCode", Self.init(code:)) {
        InputField("code", .optional(.text), "Without it another is sent.", example: "12345678")
    }
    static let whenMissing: ChannelCode? = ChannelCode(code: nil)

    var code: String?
}

struct CreatedChannel: WireBody {
    static let shape = BodyShape<CreatedChannel>("MadeChannel") {
        Field(all: \.channel)
        Field(ifPresent: "key", \.key, "A webhook's that was made for it; shown this once.")
    }

    var channel: AlertStore.Channel
    var key: String?
}

extension JSONValue {
    /// The text with the members of objects in the order of their keys.
    fileprivate var sortedText: String { String(decoding: sortedBytes, as: UTF8.self) }
}
