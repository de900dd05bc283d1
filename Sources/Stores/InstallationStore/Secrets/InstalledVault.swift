import AlertStore
package import Credentials
package import Store

extension Database {
    /// Whether anything is stored that only a key file opens.
    ///
    /// - Throws: `StoreError`.
    package func hasSealedSecrets() async throws -> Bool {
        try await !sealedSecrets().isEmpty
    }

    /// The key file of an installation, which is made only where nothing is sealed yet.
    ///
    /// A file with other keys would seal what the right ones never open, and be taken for the right one by
    /// whoever reads its numbers. So there is something sealed from the first start on, which tells.
    ///
    /// - Parameters:
    ///   - path: The file; its folder exists.
    ///   - isMade: Whether it is made where nothing is sealed.
    ///   - alarm: See `SecretVault`.
    /// - Returns: The vault.
    /// - Throws: `SealingFault` when the file is not there or cannot be read, or its keys are not those that
    ///   the database was sealed with; `StoreError`.
    package func vault(
        file path: String, isMade: Bool = true,
        alarm: @escaping @Sendable (SealingFault) -> Void = { _ in }
    ) async throws -> SecretVault {
        let sealed = try await sealedSecrets()
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

    private func sealedSecrets() async throws -> [StoredSecret] {
        let some = try await secrets(after: nil) + signingKeys()
        return some.filter { $0.keyNumber != nil }
    }

    private func signingKeys() async throws -> [StoredSecret] {
        // Keys of letters are hexadecimal digits: behind all of them the signing keys begin.
        let last = StoredSecret(
            kind: .letter, place: SealingContext(user: "", row: "g", purpose: ""), bytes: [])
        return try await secrets(after: last).filter { $0.kind == .signing }
    }
}

extension StoredSecret {
    fileprivate func opens(with keys: SealingKeys) -> Bool {
        guard kind == .channel else { return (try? keys.open(bytes, for: place)) != nil }
        return channel.sealedBytes.flatMap { keys.opened($0, of: place) } != nil
    }
}
