package import Credentials
package import Store

/// What a look at all stored secrets found, and did.
package struct SecretsReport: Hashable, Sendable {
    /// How many there are, by the number of the key that opens them; `nil` for those that are not sealed.
    package var counts: [StoredSecret.Kind: [UInt8?: Int]] = [:]
    /// Those that were sealed with the newest key just now.
    package var renewed = 0
    /// Why one of them does not open; `nil` when all do, or nobody tried.
    package var fault: SealingFault?
    /// Where those lie that do not open.
    package var closed: [SealingContext] = []
    /// Those that somebody changed meanwhile, with whatever key.
    package var missed = 0

    /// Whether no key but the given one is needed.
    package func needs(only number: UInt8) -> Bool {
        missed == 0 && counts.values.allSatisfy { $0.keys.allSatisfy { $0 == number } }
    }
}

extension Database {
    /// Counts all stored secrets by their keys.
    ///
    /// - Throws: `StoreError`.
    package func storedSecrets() async throws -> SecretsReport {
        var report = SecretsReport()
        try await eachSecret { report.add($0) }
        return report
    }

    /// Seals every stored secret with the newest key, also those that were never sealed; may be repeated, and
    /// run beside whoever changes them.
    ///
    /// One that does not open is left as it is, and counted.
    ///
    /// - Parameters:
    ///   - vault: Its newest key seals.
    ///   - owners: Whose; others are neither read nor counted.
    /// - Returns: What there is afterwards.
    /// - Throws: `StoreError`.
    package func renewSecrets(
        by vault: SecretVault, of owners: [SecretOwner] = SecretOwner.allCases
    ) async throws -> SecretsReport {
        var report = SecretsReport()
        let keys = vault.keys
        try await eachSecret(of: owners) { secret in
            let new: [UInt8]?
            do throws(SealingFault) {
                new = try secret.renewed(by: keys)
            } catch {
                report.fault = error
                report.closed.append(secret.place)
                return report.add(secret)
            }
            guard let new else { return report.add(secret) }
            guard try await replace(secret, with: new) else {
                report.missed += 1
                return
            }
            report.renewed += 1
            report.add(secret.with(new))
        }
        return report
    }

    private func eachSecret(
        of owners: [SecretOwner] = SecretOwner.allCases, _ body: (StoredSecret) async throws -> Void
    ) async throws {
        for owner in owners {
            var page: [StoredSecret] = []
            repeat {
                page = try await secrets(of: owner, after: page.last)
                for secret in page { try await body(secret) }
            } while page.count == StoredSecret.pageSize
        }
    }
}

extension SecretsReport {
    fileprivate mutating func add(_ secret: StoredSecret) {
        counts[secret.kind, default: [:]][secret.keyNumber, default: 0] += 1
    }
}

extension StoredSecret {
    fileprivate func with(_ bytes: [UInt8]) -> StoredSecret {
        var secret = self
        secret.bytes = bytes
        return secret
    }
}
