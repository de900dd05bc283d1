package import AccountStore
import Accounts
package import Store

/// What a restoration did.
package struct RestoredUserData: Hashable, Sendable {
    /// What was put back.
    package var report: BackupReport
    /// What was taken away again.
    package var withdrawn: WithdrawnCredentials
    /// Whether the database knew accounts, and so what was revoked and who was disabled since the backup.
    package var wasKnown: Bool
}

extension UserData {
    /// Puts a backup back, without whatever was taken from somebody since: revoked tokens stay revoked,
    /// disabled accounts disabled, and everybody has to sign in again.
    ///
    /// What the database knows of that before is applied again, in the same transaction. Tokens that it does
    /// not know are revoked as well, all of them in a new one, unless `keepingTokens`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: The database.
    ///   - isReplacing: Whether what is there goes; else there must be nothing.
    ///   - keepsTokens: Whether tokens that the database does not know stay as they are in the file.
    ///   - actor: Who does it, for the audit log.
    /// - Returns: What was done.
    /// - Throws: `BackupProblem` or `StoreError`.
    package static func restore(
        from path: String, into configuration: StoreConfiguration, replacing isReplacing: Bool = false,
        keepingTokens keepsTokens: Bool = false, by actor: AuditActor
    ) async throws -> RestoredUserData {
        try await backup.restore(from: path, into: configuration, replacing: isReplacing) { session in
            try session.knownCredentials()
        } then: { session, known, report in
            let withdrawn = try session.withdraw(by: known, keepingUnknownTokens: keepsTokens)
            let restored = RestoredUserData(
                report: report, withdrawn: withdrawn, wasKnown: !known.accounts.isEmpty)
            let detail = [
                "rows": "\(report.rows)", "sessions_ended": "\(withdrawn.sessions)",
                "tokens_revoked": "\(withdrawn.tokens)", "accounts_disabled": "\(withdrawn.accounts)",
                "links_withdrawn": "\(withdrawn.links)", "tokens_kept": "\(keepsTokens)",
            ]
            try session.audit(
                AuditChange(.installationRestore, .installation, with: detail), by: actor)
            return restored
        }
    }
}
