package import Credentials
package import Store

/// A key of the installation that is kept in the database; what it signs.
package enum KeptKey: String, Hashable, Sendable {
    /// Requests to the push services of browsers: a private key of P-256.
    case vapid
    /// Links in letters that switch a channel off: any bytes.
    case unsubscribe

    /// Bytes of one that is not sealed.
    static let size = 32
}

extension Database {
    /// The kept key of a name, made of the given bytes by whoever needs it first.
    ///
    /// - Parameters:
    ///   - name: What it signs.
    ///   - fresh: 32 new bytes from a generator fit for keys; they are forgotten where there is a key
    ///     already.
    ///   - vault: Seals it; without one it is kept as it is, and sealed when a notifier has a key file.
    /// - Returns: The 32 bytes.
    /// - Throws: `StoreError`, or `SealingFault` when it was sealed with keys that are not there.
    package func keptKey(
        _ name: KeptKey, orNew fresh: [UInt8], by vault: SecretVault?
    ) async throws -> [UInt8] {
        let place = SealingContext.signing(name)
        let own = try vault?.seal(fresh, for: place) ?? fresh
        let kept = try await first(
            """
            INSERT INTO alerts.signing_key AS kept (name, secret) VALUES (\(name.rawValue), \(own))
            ON CONFLICT (name) DO UPDATE SET name = kept.name
            RETURNING secret
            """
        ) { try $0.bytes() }
        let stored = kept ?? own
        guard stored.count != KeptKey.size else { return stored }
        guard let vault else { throw SealingFault.noKeyFile }
        return try vault.open(stored, for: place)
    }
}
