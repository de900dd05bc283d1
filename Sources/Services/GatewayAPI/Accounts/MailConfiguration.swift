import Channels
import Instruments
import Operations
import Sending

/// Where the gateway hands in letters about accounts; the keys are those of the notifier.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `mail.host` | text | none | |
/// | `mail.port` | integer | 587 | 1...65535 |
/// | `mail.security` | choice | starttls | tls, starttls, none |
/// | `mail.user` | text | none | |
/// | `mail.password` | secret | none | |
/// | `mail.from` | text | none | an address |
/// | `mail.name` | text | Bitpal | |
struct MailConfiguration: Sendable {
    var relay: MailRelay
    var from: MailSender

    /// Reads what was configured; `nil` without a host.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    static func read(_ settings: Settings) throws(ConfigurationError) -> MailConfiguration? {
        guard let host = settings[Self.host] else { return nil }
        let relay = MailRelay(
            host: host, port: settings[Self.port], security: settings[Self.security],
            user: settings[Self.user], password: settings[Self.password])
        let address = settings[Self.from] ?? ""
        do throws(FieldFault) {
            return MailConfiguration(
                relay: relay, from: try MailSender(address: address, name: settings[Self.name]))
        } catch {
            throw settings.refusal(
                Self.from, value: address, accepted: "with mail.host set, \(error.accepted)")
        }
    }

    /// Every key that is read here.
    static let keys: [ConfigurationKey] = [
        host.key, port.key, security.key, user.key, password.key, from.key, name.key,
    ]

    private static let host = Setting.optionalText("mail.host", "Where letters about accounts are handed in.")
    private static let port = Setting.integer("mail.port", default: 587, in: 1...65_535, "The port there.")
    private static let security = Setting.choice(
        "mail.security", default: MailRelay.Security.starttls,
        "TLS from the start, from STARTTLS on, or never.")
    private static let user = Setting.optionalText("mail.user", "The name for handing in.")
    private static let password = Setting.optionalText(
        "mail.password", isSecret: true, "The password for handing in.")
    private static let from = Setting.optionalText("mail.from", "The address that letters come from.")
    private static let name = Setting.text(
        "mail.name", default: "Bitpal", "The name that stands before it.")
}
