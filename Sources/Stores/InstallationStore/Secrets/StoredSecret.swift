import AlertStore
package import Credentials

/// A secret in the database that has to be read again, wherever it lies.
package struct StoredSecret: Hashable, Sendable {
    /// What it is; the word is part of what is authenticated.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Keys, tokens and passwords of a channel.
        case channel
        /// The link of a letter about an account.
        case letter
        /// A key of the installation that signs.
        case signing
        /// What a user shares with an authenticator.
        case authenticator = "totp"
    }

    package var kind: Kind
    /// Where it lies.
    package var place: SealingContext
    var bytes: [UInt8]

    /// The number of the key that opens it; `nil` where it is not sealed.
    package var keyNumber: UInt8? {
        switch kind {
        case .channel: channel.sealedBytes.flatMap { SealingKeys.number(of: $0) }
        case .signing where bytes.count == KeptKey.size: nil
        default: SealingKeys.number(of: bytes)
        }
    }

    /// What is to be stored instead.
    ///
    /// - Returns: `nil` when it is sealed with the newest key already.
    /// - Throws: `SealingFault` when it does not open.
    func renewed(by keys: SealingKeys) throws(SealingFault) -> [UInt8]? {
        guard keyNumber != nil else {
            let sealed = try keys.seal(bytes, for: place)
            return kind == .channel ? Array(ChannelSecrets(sealed: sealed).json.utf8) : sealed
        }
        guard kind == .channel else { return try keys.renewed(bytes, for: place) }
        return try keys.renewed(channel.sealedBytes ?? [], of: place).map {
            Array(ChannelSecrets(sealed: $0).json.utf8)
        }
    }

    var channel: ChannelSecrets { ChannelSecrets(json: String(decoding: bytes, as: UTF8.self)) }
}
