import AccountStore
import Accounts
package import Credentials
import Encodings

/// What a channel's secrets are in the database: sealed, as a JSON object with the one member `sealed`.
///
/// No kind of channel has a secret of that name. Those that are empty are stored as they are.
extension ChannelSecrets {
    private static let (beginning, end) = ("{\"sealed\":\"", "\"}")

    /// Whether they were sealed; else they are as their owner gave them.
    package var isSealed: Bool { sealedBytes != nil }

    /// Whether there is nothing to be sealed.
    package var isEmpty: Bool { json == "{}" }

    package var sealedBytes: [UInt8]? {
        guard json.hasPrefix(Self.beginning), json.hasSuffix(Self.end) else { return nil }
        return Base64URL.bytes(json.dropFirst(Self.beginning.count).dropLast(Self.end.count))
    }

    package init(sealed: [UInt8]) { self.init(json: Self.beginning + Base64URL.text(sealed) + Self.end) }
}

extension Channel {
    private var place: SealingContext { .channel(id, of: user) }

    /// The channel as it is stored.
    ///
    /// - Parameter vault: `nil` where the process has no key file.
    /// - Returns: The same with its secrets sealed.
    /// - Throws: `SealingFault` where there is something to seal and nothing to seal it with.
    package func sealed(by vault: SecretVault?) throws(SealingFault) -> Channel {
        guard !secrets.isEmpty, !secrets.isSealed else { return self }
        guard let vault else { throw .noKeyFile }
        var channel = self
        channel.secrets = ChannelSecrets(sealed: try vault.seal(Array(secrets.json.utf8), for: place))
        return channel
    }

    /// The channel as its owner set it up, also one that was stored before secrets were sealed, or sealed
    /// before it had an owner.
    ///
    /// - Parameter vault: `nil` where the process has no key file.
    /// - Returns: The same with its secrets opened.
    /// - Throws: `SealingFault` where there is something to open that does not open.
    package func opened(by vault: SecretVault?) throws(SealingFault) -> Channel {
        guard let bytes = secrets.sealedBytes else { return self }
        guard let vault else { throw .noKeyFile }
        let secret =
            if let opened = vault.keys.opened(bytes, of: place) {
                opened
            } else {
                // The vault raises the alarm.
                try vault.open(bytes, for: place)
            }
        var channel = self
        channel.secrets = ChannelSecrets(json: String(decoding: secret, as: UTF8.self))
        return channel
    }
}
