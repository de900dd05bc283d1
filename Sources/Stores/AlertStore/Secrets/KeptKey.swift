public import Credentials
public import Store

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
    public func keptKey(
        _ name: KeepSigningKey.Name, orNew fresh: [UInt8], by vault: SecretVault?
    ) async throws -> [UInt8] {
        let place = SecretPlace.signing(name)
        let own = try vault?.seal(fresh, for: place) ?? fresh
        let stored = try await first(KeepSigningKey(name, orNew: own)) ?? own
        guard stored.count != KeepSigningKey.size else { return stored }
        guard let vault else { throw SealingFault.noKeyFile }
        return try vault.open(stored, for: place)
    }
}
