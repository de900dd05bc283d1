import AlertStore
import Channels
import Credentials
import Instruments
import JSON

/// A channel as a client asks for it.
struct NewChannel: Decodable {
    var kind: String
    var name: String
    var settings: JSONValue?
    var secrets: JSONValue?
    var locale: String?
    var timeZone: String?
    var perMinute: Int?
    var perHour: Int?
    var quiet: String?

    private enum CodingKeys: String, CodingKey {
        case kind, name, settings, secrets, locale, quiet
        case timeZone = "time_zone"
        case perMinute = "per_minute"
        case perHour = "per_hour"
    }

    /// The wish of the store.
    ///
    /// - Throws: `invalid-field` for a kind that nobody may make from afar.
    func wish(_ secrets: JSONValue?) throws(Problem) -> ChannelWish {
        try Self.check(kind: kind)
        try NameRule.check(name)
        var wish = ChannelWish(
            kind: kind, name: name, settings: settings?.sortedText ?? "{}",
            secrets: secrets?.sortedText ?? "{}")
        wish.locale = locale
        wish.timeZone = timeZone
        wish.perMinute = perMinute
        wish.perHour = perHour
        wish.quiet = quiet
        return wish
    }

    /// A command runs a program on the machine: only who works on the machine itself may say which.
    static func check(kind: String) throws(Problem) {
        let kinds = ChannelKind.allCases.filter { $0 != .command }.map(\.rawValue)
        guard kinds.contains(kind) else {
            throw .invalid("kind", kind, accepted: kinds.joined(separator: ", "))
        }
    }
}

/// What is to be different about a channel; what is missing stays.
struct ChannelChange: Decodable, Sendable {
    var settings: JSONValue?
    var secrets: JSONValue?
    var locale: String?
    var timeZone: String?
    var perMinute: Int?
    var perHour: Int?
    /// Empty for none, as `null` is.
    var quiet: String?
    var enabled: Bool?

    private enum CodingKeys: String, CodingKey {
        case settings, secrets, locale, quiet, enabled
        case timeZone = "time_zone"
        case perMinute = "per_minute"
        case perHour = "per_hour"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        settings = try members.decodeIfPresent(JSONValue.self, forKey: .settings)
        secrets = try members.decodeIfPresent(JSONValue.self, forKey: .secrets)
        locale = try members.decodeIfPresent(String.self, forKey: .locale)
        timeZone = try members.decodeIfPresent(String.self, forKey: .timeZone)
        perMinute = try members.decodeIfPresent(Int.self, forKey: .perMinute)
        perHour = try members.decodeIfPresent(Int.self, forKey: .perHour)
        quiet =
            members.contains(.quiet) ? try members.decodeIfPresent(String.self, forKey: .quiet) ?? "" : nil
        enabled = try members.decodeIfPresent(Bool.self, forKey: .enabled)
    }

    /// The channel as it is to be; its secrets are opened only where they or its settings change.
    ///
    /// - Throws: `Problem` that names the field.
    func applied(
        to stored: AlertStore.Channel, by vault: SecretVault?, at now: Timestamp
    ) throws(Problem) -> AlertStore.Channel {
        let old = settings != nil && secrets == nil ? try stored.readable(by: vault) : stored
        var wish = ChannelWish(
            kind: old.kind.rawValue, name: old.name, settings: settings?.sortedText ?? old.settings,
            secrets: secrets?.sortedText ?? old.secrets.json)
        wish.locale = locale
        wish.timeZone = timeZone
        wish.perMinute = perMinute
        wish.perHour = perHour
        wish.quiet = quiet?.isEmpty == true ? nil : quiet
        var new = old
        do {
            if settings != nil || secrets != nil {
                try NewChannel.check(kind: wish.kind)
                _ = try ChannelSettings(
                    kind: wish.kind, settings: wish.settings, secrets: wish.secrets, policy: .strict)
            }
            new.manners = try wish.manners(over: old.manners)
        } catch let fault as FieldFault {
            throw Problem(fault)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.internal, "the channel cannot be changed")
        }
        if quiet?.isEmpty == true { new.manners.quiet = nil }
        // Another address is another one to be confirmed.
        if old.kind == .email, settings != nil, wish.settings != old.settings { new.verified = nil }
        new.settings = wish.settings
        if settings != nil || secrets != nil { new.secrets = ChannelSecrets(json: wish.secrets) }
        if let enabled { new.disabled = enabled ? nil : old.disabled ?? now }
        return new
    }
}

extension JSONValue {
    /// The text with the members of objects in the order of their keys.
    fileprivate var sortedText: String { String(decoding: sortedBytes, as: UTF8.self) }
}
