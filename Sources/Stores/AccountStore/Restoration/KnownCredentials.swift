package import Store

/// What a database knows, before a backup takes the place of what is there, of who may still come in.
package struct KnownCredentials: Sendable {
    /// Accounts that there are.
    package let accounts: [UniqueID]
    private(set) var disabled: [UniqueID]
    let tokens: [UniqueID]
    private(set) var revoked: [UniqueID]
    let tickets: [UniqueID]
    let letters: [UniqueID]
    let passkeys: [UniqueID]
    /// Recovery codes that nobody used, each as its user and its digest.
    let codes: [String]

    /// Takes over what was kept apart, of what the database knows nothing.
    ///
    /// - Parameter names: As ``CredentialState/name`` has them.
    package mutating func learn(withdrawn names: Set<String>) {
        let known = Set(
            accounts.map { CredentialState.account($0) }
                + (tokens + revoked).map { CredentialState.token($0) })
        for name in names.subtracting(known).sorted() {
            let words = name.split(separator: " ")
            guard words.count == 2, let id = UniqueID(String(words[1])) else { continue }
            if words[0] == "token" { revoked.append(id) }
            if words[0] == "account" { disabled.append(id) }
        }
    }
}

/// Whether an account, a token or another way in was taken back.
package struct CredentialState: Hashable, Sendable {
    /// Such as `token 0193a2c4-5b10-7f00-8a00-0000000000bb`.
    package let name: String
    package let isWithdrawn: Bool

    package init(name: String, isWithdrawn: Bool) {
        (self.name, self.isWithdrawn) = (name, isWithdrawn)
    }

    static func account(_ id: UniqueID) -> String { "account \(id)" }
    static func token(_ id: UniqueID) -> String { "token \(id)" }
}

/// What a restoration took away again.
package struct WithdrawnCredentials: Hashable, Sendable {
    /// Sessions that ended.
    package var sessions: Int
    /// Tokens that were revoked.
    package var tokens: Int
    /// Accounts that were disabled.
    package var accounts: Int
    /// Links that are good once, and recovery codes.
    package var links: Int
    /// Passkeys that were removed.
    package var passkeys = 0
}

extension Session {
    /// Every account and every token, and whether it was taken back.
    package func credentialStates() throws(StoreError) -> [CredentialState] {
        let accounts = try rows("SELECT user_id, disabled_at IS NOT NULL FROM accounts.account") { row in
            CredentialState(name: CredentialState.account(try row.uniqueID()), isWithdrawn: try row.bool())
        }
        let tokens = try rows("SELECT token_id, revoked_at IS NOT NULL FROM accounts.token") { row in
            CredentialState(name: CredentialState.token(try row.uniqueID()), isWithdrawn: try row.bool())
        }
        return accounts + tokens
    }

    /// What is known of who may still come in; nobody changes it until the transaction ends.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``.
    package func knownCredentials() throws(StoreError) -> KnownCredentials {
        try script(
            """
            LOCK TABLE accounts.account, accounts.token, accounts.ticket, accounts.letter,
                accounts.passkey, accounts.recovery_code IN SHARE ROW EXCLUSIVE MODE
            """)
        return KnownCredentials(
            accounts: try ids("SELECT user_id FROM accounts.account"),
            disabled: try ids("SELECT user_id FROM accounts.account WHERE disabled_at IS NOT NULL"),
            tokens: try ids("SELECT token_id FROM accounts.token WHERE revoked_at IS NULL"),
            revoked: try ids("SELECT token_id FROM accounts.token WHERE revoked_at IS NOT NULL"),
            tickets: try ids("SELECT ticket_id FROM accounts.ticket WHERE used_at IS NULL"),
            letters: try ids("SELECT letter_id FROM accounts.letter WHERE sealed IS NOT NULL"),
            passkeys: try ids("SELECT passkey_id FROM accounts.passkey"),
            codes: try rows(
                """
                SELECT user_id::text || encode(digest, 'hex') FROM accounts.recovery_code
                WHERE used_at IS NULL
                """
            ) { row in try row.text() })
    }

    /// Takes away what a backup brought back and what was over: all sessions, tokens that were revoked or
    /// that nobody knew, accounts that were disabled, passkeys that were removed, links and recovery codes
    /// that were used.
    ///
    /// - Parameters:
    ///   - known: What was known before.
    ///   - keepsUnknown: Whether tokens that nobody knew stay as they are in the backup.
    /// - Returns: How much that was.
    /// - Throws: ``StoreError``.
    package func withdraw(
        by known: KnownCredentials, keepingUnknownTokens keepsUnknown: Bool
    ) throws(StoreError) -> WithdrawnCredentials {
        let accounts = try execute(
            """
            UPDATE accounts.account SET disabled_at = statement_timestamp()
            WHERE disabled_at IS NULL AND user_id = ANY (\(known.disabled))
            """)
        let tokens = try execute(
            """
            UPDATE accounts.token SET revoked_at = statement_timestamp()
            WHERE revoked_at IS NULL AND (
                token_id = ANY (\(known.revoked))
                OR NOT \(keepsUnknown) AND token_id <> ALL (\(known.tokens)))
            """)
        let sessions = try execute("DELETE FROM accounts.session")
        // Of an account that nobody knew passkeys and codes stay: they may be its only way in.
        let passkeys = try execute(
            """
            DELETE FROM accounts.passkey
            WHERE user_id = ANY (\(known.accounts)) AND passkey_id <> ALL (\(known.passkeys))
            """)
        return WithdrawnCredentials(
            sessions: sessions, tokens: tokens, accounts: accounts, links: try withdrawLinks(by: known),
            passkeys: passkeys)
    }

    private func withdrawLinks(by known: KnownCredentials) throws(StoreError) -> Int {
        let tickets = try execute(
            "DELETE FROM accounts.ticket WHERE used_at IS NULL AND ticket_id <> ALL (\(known.tickets))")
        try execute(
            """
            UPDATE accounts.letter SET sealed = NULL, due_at = 'infinity', problem = 'its link was withdrawn'
            WHERE sealed IS NOT NULL AND letter_id <> ALL (\(known.letters))
            """)
        let codes = try execute(
            """
            UPDATE accounts.recovery_code SET used_at = statement_timestamp()
            WHERE used_at IS NULL AND user_id = ANY (\(known.accounts))
                AND user_id::text || encode(digest, 'hex') <> ALL (\(known.codes))
            """)
        return tickets + codes
    }

    private func ids(_ query: Query) throws(StoreError) -> [UniqueID] {
        try rows(query) { row in try row.uniqueID() }
    }
}
