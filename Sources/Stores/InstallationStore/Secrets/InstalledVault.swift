import AlertStore
package import Credentials
package import Store

extension Database {
    /// Whether anything is stored, of those who own it, that only a key file opens.
    ///
    /// - Throws: `StoreError`.
    package func hasSealedSecrets(of owners: [SecretOwner] = SecretOwner.allCases) async throws -> Bool {
        try await !sealedSecrets(of: owners).isEmpty
    }

    /// The key file of an installation, which is made only where nothing is sealed yet.
    ///
    /// A file with other keys would seal what the right ones never open, and be taken for the right one by
    /// whoever reads its numbers. So there is something sealed from the first start on, which tells.
    ///
    /// - Parameters:
    ///   - path: The file; its folder exists.
    ///   - isMade: Whether it is made where nothing is sealed.
    ///   - owners: Whose secrets tell.
    ///   - alarm: See `SecretVault`.
    /// - Returns: The vault.
    /// - Throws: `SealingFault` when the file is not there or cannot be read, or its keys are not those that
    ///   the database was sealed with; `StoreError`.
    package func vault(
        file path: String, isMade: Bool = true, of owners: [SecretOwner] = SecretOwner.allCases,
        alarm: @escaping @Sendable (SealingFault) -> Void = { _ in }
    ) async throws -> SecretVault {
        let sealed = try await sealedSecrets(of: owners)
        let vault = try SecretVault(file: path, isMade: isMade && sealed.isEmpty, alarm: alarm)
        let keys = vault.keys
        // One that does not open may have been put where it lies; that none does shows another file.
        guard sealed.isEmpty || sealed.contains(where: { $0.opens(with: keys) }) else {
            throw SealingFault(description: "the keys in \(path) are not those of this database")
        }
        guard sealed.isEmpty else { return vault }
        // Of two that start with files of their own at the same moment one is told here.
        _ = try await keptKey(.unsubscribe, orNew: Secrets.bytes(KeptKey.size), by: vault)
        for key in try await signingKeys() {
            guard let new = try key.renewed(by: keys) else { continue }
            _ = try await replace(key, with: new)
        }
        return vault
    }

    private func sealedSecrets(of owners: [SecretOwner]) async throws -> [StoredSecret] {
        var some: [StoredSecret] = []
        for owner in owners { some += try await secrets(of: owner, after: nil) }
        return try await (some + signingKeys()).filter { $0.keyNumber != nil }
    }

    private func signingKeys() async throws -> [StoredSecret] {
        // Keys of channels are hexadecimal digits: behind all of them the signing keys begin.
        let last = StoredSecret(
            kind: .channel, place: SealingContext(user: "", row: "g", purpose: ""), bytes: [])
        return try await secrets(of: .alerts, after: last)
    }
}

extension StoredSecret {
    fileprivate func opens(with keys: SealingKeys) -> Bool {
        guard kind == .channel else { return (try? keys.open(bytes, for: place)) != nil }
        return channel.sealedBytes.flatMap { keys.opened($0, of: place) } != nil
    }
}
