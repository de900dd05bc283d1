import Operations

/// Whom "Sign in with Apple" is offered to, and where Apple's keys are.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `apple.clients` | list | none, which is off | bundle ids of apps and service ids of pages |
/// | `apple.keys` | text | Apple's | https, or http on loopback |
struct AppleConfiguration: Sendable, Hashable {
    /// Who issues the tokens (Apple, "Authenticating users with Sign in with Apple", 2026).
    static let issuer = "https://appleid.apple.com"

    /// For whom tokens are accepted: the app's bundle id, the page's service id.
    var clients: [String]
    /// Where the key set is.
    var keys = "\(issuer)/auth/keys"

    /// What is configured; `nil` where it is off.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    static func read(_ settings: Settings) throws(ConfigurationError) -> AppleConfiguration? {
        let configuration = AppleConfiguration(clients: settings[identifiers], keys: settings[address])
        for client in configuration.clients where !isIdentifier(client) {
            throw settings.refusal(identifiers, value: client, accepted: "ids such as app.bitpal.ios")
        }
        guard
            ["https://", "http://127.0.0.1:", "http://localhost:"].contains(
                where: configuration.keys.hasPrefix)
        else {
            throw settings.refusal(
                address, value: configuration.keys, accepted: "https://…, or http:// on this machine")
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
    static let settings: [ConfigurationKey] = [identifiers.key, address.key]

    private static let identifiers = Setting.list(
        "apple.clients", default: [],
        "For whom Sign in with Apple is accepted: bundle ids of apps, service ids of pages; none is off.")
    private static let address = Setting.text(
        "apple.keys", default: "\(issuer)/auth/keys", "Where Apple's key set is.")
}
