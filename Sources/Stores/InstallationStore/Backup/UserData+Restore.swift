package import AccountStore
import Accounts
import PortfolioStore
package import Store

/// What a restoration did.
package struct RestoredUserData: Hashable, Sendable {
    /// What was put back.
    package var report: BackupReport
    /// What was taken away again.
    package var withdrawn: WithdrawnCredentials
    /// Links that show portfolios, which were revoked again.
    package var shareLinks: Int
    /// Whether it was known what was revoked and who was disabled since the backup: by the database, or by
    /// what is kept apart.
    package var wasKnown: Bool
}

/// How a backup is put back.
package struct RestorationOptions: Sendable {
    /// Whether what is there goes; else there must be nothing.
    package var isReplacing = false
    /// Whether tokens and links to portfolios that nobody knows stay as they are in the file.
    package var keepsTokens = false
    /// What is kept apart from the database.
    package var withdrawn: WithdrawnFile?

    package init() {}
}

extension UserData {
    /// Puts a backup back, without whatever was taken from somebody since: revoked tokens and links stay
    /// revoked, removed passkeys removed, disabled accounts disabled, and everybody has to sign in again.
    ///
    /// What the database knows of that before, or else the file that is kept apart, is applied again in the
    /// same transaction. Tokens and links to portfolios that the database does not know are revoked as
    /// well, all of them in a new one, unless they are to be kept.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: The database.
    ///   - options: How.
    ///   - actor: Who does it, for the audit log.
    /// - Returns: What was done.
    /// - Throws: `BackupProblem` or `StoreError`.
    package static func restore(
        from path: String, into configuration: StoreConfiguration,
        _ options: RestorationOptions = RestorationOptions(), by actor: AuditActor
    ) async throws -> RestoredUserData {
        let (apart, keepsTokens) = (try options.withdrawn?.lines(), options.keepsTokens)
        return try await backup.restore(
            from: path, into: configuration, replacing: options.isReplacing
        ) { session in
            var (known, links) = (try session.knownCredentials(), try session.knownShareLinks())
            known.learn(withdrawn: apart ?? [])
            links.learn(withdrawn: apart ?? [])
            return (known, links)
        } then: { session, before, report in
            let (known, links) = before
            let shareLinks = try session.withdrawShareLinks(by: links, keepingUnknown: keepsTokens)
            let withdrawn = try session.withdraw(by: known, keepingUnknownTokens: keepsTokens)
            // Of an account that the database did not have it could not know whether it was disabled.
            let restoredAccounts = try session.rows("SELECT user_id FROM accounts.account") { row in
                try row.uniqueID()
            }
            let restored = RestoredUserData(
                report: report, withdrawn: withdrawn, shareLinks: shareLinks,
                wasKnown: Set(restoredAccounts).isSubset(of: known.accounts) || apart?.isEmpty == false)
            let detail = [
                "rows": "\(report.rows)", "sessions_ended": "\(withdrawn.sessions)",
                "tokens_revoked": "\(withdrawn.tokens)", "accounts_disabled": "\(withdrawn.accounts)",
                "links_withdrawn": "\(withdrawn.links)", "passkeys_removed": "\(withdrawn.passkeys)",
                "shares_revoked": "\(shareLinks)", "tokens_kept": "\(keepsTokens)",
            ]
            try session.audit(
                AuditChange(.installationRestore, .installation, with: detail), by: actor)
            return restored
        }
    }
}
