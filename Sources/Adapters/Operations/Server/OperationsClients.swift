import NIOCore

/// Who may ask a process for its metrics and health, by address; this machine itself always may.
struct OperationsClients: Hashable, Sendable {
    /// `nil` for everybody.
    private let addresses: Set<String>?

    /// Everybody who reaches the port.
    static let everybody = OperationsClients(addresses: nil)

    private init(addresses: Set<String>?) { self.addresses = addresses }

    /// Those that a setting names; everybody where it names nobody.
    ///
    /// - Throws: `ConfigurationError` naming what is no address.
    init(settings: Settings) throws(ConfigurationError) {
        let setting = SharedSettings.operationsClients
        var named: Set<String> = []
        for text in settings[setting] {
            guard let address = Self.text(try? SocketAddress(ipAddress: text, port: 0)) else {
                throw settings.refusal(setting, value: text, accepted: "addresses such as 172.30.88.2")
            }
            named.insert(address)
        }
        addresses = named.isEmpty ? nil : named
    }

    /// Whether a connection from there is answered.
    func admit(_ address: SocketAddress?) -> Bool {
        guard let addresses else { return true }
        guard let text = Self.text(address) else { return false }
        return text.hasPrefix("127.") || text == "::1" || addresses.contains(text)
    }

    /// In one spelling, also where a socket of IPv6 took a connection of IPv4.
    private static func text(_ address: SocketAddress?) -> String? {
        guard let text = address?.ipAddress else { return nil }
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
    }
}
