import Operations

/// Whom "Sign in with Apple" is offered to, and where Apple's keys are.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `apple.clients` | list | none, which is off | bundle ids of apps and service ids of pages |
/// | `apple.page` | text | none: the page does not offer it | one of the clients, a service id |
/// | `apple.keys` | text | Apple's | https, or http on loopback |
/// | `apple.authorization` | text | Apple's | https, or http on loopback; where browsers go to |
struct AppleConfiguration: Sendable, Hashable {
    /// Who issues the tokens (Apple, "Authenticating users with Sign in with Apple", 2026).
    static let issuer = "https://appleid.apple.com"

    /// For whom tokens are accepted: the app's bundle id, the page's service id.
    var clients: [String]
    /// The service id of the page; `nil` where only apps offer it.
    var page: String?
    /// Where the key set is.
    var keys = "\(issuer)/auth/keys"
    /// Where browsers go to.
    var authorization = "\(issuer)/auth/authorize"

    /// What is configured; `nil` where it is off.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    static func read(_ settings: Settings) throws(ConfigurationError) -> AppleConfiguration? {
        let configuration = AppleConfiguration(
            clients: settings[identifiers], page: settings[service], keys: settings[address],
            authorization: settings[place])
        for client in configuration.clients where !isIdentifier(client) {
            throw settings.refusal(identifiers, value: client, accepted: "ids such as app.bitpal.ios")
        }
        if let page = configuration.page, !configuration.clients.contains(page) {
            throw settings.refusal(service, value: page, accepted: "one of apple.clients")
        }
        for (setting, url) in [(address, configuration.keys), (place, configuration.authorization)] {
            guard ["https://", "http://127.0.0.1:", "http://localhost:"].contains(where: url.hasPrefix) else {
                throw settings.refusal(setting, value: url, accepted: "https://…, or http:// on this machine")
            }
        }
        return configuration.clients.isEmpty ? nil : configuration
    }

    private static func isIdentifier(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Every key that is read here.
    static let settings: [ConfigurationKey] = [identifiers.key, service.key, address.key, place.key]

    private static let identifiers = Setting.list(
        "apple.clients", default: [],
        "For whom Sign in with Apple is accepted: bundle ids of apps, service ids of pages; none is off.")
    private static let service = Setting.optionalText(
        "apple.page", "The service id by which the page offers Sign in with Apple; one of apple.clients.")
    private static let place = Setting.text(
        "apple.authorization", default: "\(issuer)/auth/authorize", "Where browsers sign in with Apple.")
    private static let address = Setting.text(
        "apple.keys", default: "\(issuer)/auth/keys", "Where Apple's key set is.")
}
