package import Accounts
package import Instruments
import MarketStore
package import Store

/// A token for programs, without its secret.
package struct StoredToken: Hashable, Sendable {
    /// The key, which is part of its text.
    package var id: UniqueID
    package var user: UserID
    /// What its owner calls it, 1...64 bytes.
    package var name: String
    /// What it may be used for.
    package var scopes: Set<Scope>
    package var created: Timestamp
    /// From when on it opens nothing; `nil` for never.
    package var expires: Timestamp?
    /// When it was last used, to the minute.
    package var lastUsed: Timestamp?
    package var revoked: Timestamp?

    package init(
        id: UniqueID, user: UserID, name: String, scopes: Set<Scope>, created: Timestamp,
        expires: Timestamp? = nil
    ) {
        self.id = id
        self.user = user
        self.name = name
        self.scopes = scopes
        self.created = created.inMicroseconds
        self.expires = expires?.inMicroseconds
    }
}

/// What a token's key leads to, when it is neither over nor revoked and its account may be used.
package struct TokenFound: Hashable, Sendable {
    /// Who, if the secret fits.
    package var identity: Identity
    /// SHA-256 of the secret, to be compared in constant time.
    package var digest: [UInt8]
    /// When it was last noted that the token is used.
    package var lastUsed: Timestamp?
}

extension Session {
    /// Tokens of one user that are in force, at most, unless it is said otherwise.
    package static let tokenLimit = 50

    /// Makes a token.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - token: Its key is new.
    ///   - digest: SHA-256 of its secret.
    ///   - limit: Tokens of its user that are in force, at most.
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    package func addToken(
        _ token: StoredToken, digest: [UInt8], limit: Int = tokenLimit
    ) throws(StoreError) {
        guard (1...64).contains(token.name.utf8.count),
            token.name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            let fault = FieldFault(
                "name", "\(token.name.utf8.count) bytes", accepted: "one line of 1...64 bytes")
            throw .body(AccountRefused.fault(fault))
        }
        if let expires = token.expires, expires <= token.created {
            let fault = FieldFault("expires", expires.plain, accepted: "a time after \(token.created.plain)")
            throw .body(AccountRefused.fault(fault))
        }
        guard try lockUser(token.user) else { throw .body(AccountRefused.noSuchAccount) }
        // Behind the lock: of two at once the later one counts the earlier one.
        let week = token.created.adding(nanoseconds: -QuotaFault.newNanoseconds)
        let (inForce, new) =
            try first(
                """
                SELECT
                    count(*) FILTER (WHERE revoked_at IS NULL
                        AND (expires_at IS NULL OR expires_at > \(token.created))),
                    count(*) FILTER (WHERE created_at > \(week))
                FROM accounts.token WHERE \(owner: "user_id", is: token.user)
                """
            ) { (Int(try $0.int64()), Int(try $0.int64())) } ?? (0, 0)
        guard inForce < limit else {
            throw .body(
                AccountRefused.quota(
                    QuotaFault("tokens", count: inForce + 1, limit: limit, advice: "revoke one first")))
        }
        if let fault = QuotaFault.ofMade("tokens", inAWeek: new, whereKept: limit) {
            throw .body(AccountRefused.quota(fault))
        }
        try execute(
            """
            INSERT INTO accounts.token (token_id, user_id, name, digest, scopes, created_at, expires_at)
            VALUES (\(token.id), \(token.user), \(token.name), \(digest),
                \(token.scopes.map(\.rawValue).sorted()), \(token.created), \(token.expires))
            """)
    }

    /// What a token's key leads to; `nil` when it opens nothing.
    package func token(_ id: UniqueID, at now: Timestamp) throws(StoreError) -> TokenFound? {
        try first(
            """
            SELECT token_id, user_id, role, scopes, digest, last_used_at
            FROM accounts.token JOIN accounts.account USING (user_id)
            WHERE token_id = \(id) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > \(now))
                AND disabled_at IS NULL
            """
        ) { row in
            let (id, user, role) = (try row.uniqueID(), try row.user(), try row.word(Role.self))
            let scopes = Set(try row.textArray().compactMap(Scope.init(rawValue:)))
            // What the role lost meanwhile the token has lost, too.
            let identity = Identity(
                user: user, role: role, scopes: scopes.intersection(Scope.all(of: role)),
                credential: .token(id))
            return TokenFound(identity: identity, digest: try row.bytes(), lastUsed: try row.timeOrNil())
        }
    }

    /// Notes that a token is used.
    ///
    /// Call it at most once a minute for each.
    package func touchToken(_ id: UniqueID, at now: Timestamp) throws(StoreError) {
        try execute("UPDATE accounts.token SET last_used_at = \(now) WHERE token_id = \(id)")
    }

    /// The tokens of a user, the newest first, with those that are over.
    package func tokens(of user: UserID) throws(StoreError) -> [StoredToken] {
        try rows(
            """
            SELECT \(StoredToken.columns) FROM accounts.token WHERE user_id = \(user)
            ORDER BY created_at DESC, token_id LIMIT 500
            """, StoredToken.init)
    }

    /// Revokes a token of a user; false when there is none in force.
    @discardableResult
    package func revokeToken(_ id: UniqueID, of user: UserID, at now: Timestamp) throws(StoreError) -> Bool {
        try execute(
            """
            UPDATE accounts.token SET revoked_at = \(now)
            WHERE token_id = \(id) AND \(owner: "user_id", is: user) AND revoked_at IS NULL
            """) == 1
    }

    /// Whether a token still opens something, with the role that its owner had then.
    func isInForce(token id: UniqueID, of role: Role, at now: Timestamp) throws(StoreError) -> Bool {
        try exists(
            """
            SELECT FROM accounts.token JOIN accounts.account USING (user_id)
            WHERE token_id = \(id) AND role = \(role.rawValue) AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > \(now)) AND disabled_at IS NULL
            """)
    }

    /// Notes of tokens whose time is over that they are revoked.
    func revokeOverTokens(at now: Timestamp) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.token SET revoked_at = expires_at
            WHERE revoked_at IS NULL AND expires_at <= \(now)
            """)
    }
}

extension StoredToken {
    /// Whether it opens something.
    package func isInForce(at now: Timestamp) -> Bool {
        revoked == nil && expires.map { $0 > now } ?? true
    }

    static let columns: SQL =
        "token_id, user_id, name, scopes, created_at, expires_at, last_used_at, revoked_at"

    init(_ row: inout RowReader) throws(StoreError) {
        let (id, user, name) = (try row.uniqueID(), try row.user(), try row.text())
        let scopes = Set(try row.textArray().compactMap(Scope.init(rawValue:)))
        self.init(
            id: id, user: user, name: name, scopes: scopes, created: try row.time(),
            expires: try row.timeOrNil())
        lastUsed = try row.timeOrNil()
        revoked = try row.timeOrNil()
    }
}
