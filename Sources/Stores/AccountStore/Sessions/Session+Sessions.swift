import Accounts
package import Instruments
import MarketStore
package import Store

/// How long a session lasts (RELIABILITY.md 6.5, S3).
package struct SessionLimits: Hashable, Sendable {
    /// Nanoseconds without a request after which it is over.
    package var idle: Int64
    /// Nanoseconds after which it is over anyway.
    package var absolute: Int64

    /// Half an hour and twelve hours.
    package init(idle: Int64 = 1_800_000_000_000, absolute: Int64 = 43_200_000_000_000) {
        self.idle = idle
        self.absolute = absolute
    }
}

/// A session of somebody who signed in.
package struct StoredSession: Hashable, Sendable {
    package var id: UniqueID
    package var user: UserID
    /// When somebody signed in.
    package var created: Timestamp
    /// When it was last used, to the minute.
    package var lastSeen: Timestamp
    package var expires: Timestamp
    /// The address that it was made from.
    package var client: String
    /// What the browser or app calls itself.
    package var agent: String
}

/// Who a session's cookie stands for, and whether that is to be noted.
package struct SessionFound: Hashable, Sendable {
    package var identity: Identity
    /// When it was last noted that the session is used.
    package var lastSeen: Timestamp
}

extension Session {
    /// Opens a session.
    ///
    /// - Parameters:
    ///   - id: A new key.
    ///   - digest: SHA-256 of what the cookie will hold.
    ///   - user: Whose.
    ///   - client: The address it comes from; cut at 64 bytes.
    ///   - agent: What the client calls itself; cut at 300 bytes.
    ///   - now: The time.
    ///   - limits: How long it may last.
    /// - Throws: ``StoreError``.
    package func openSession(
        _ id: UniqueID, digest: [UInt8], of user: UserID, client: String, agent: String, at now: Timestamp,
        limits: SessionLimits = SessionLimits()
    ) throws(StoreError) {
        try execute(
            """
            INSERT INTO accounts.session
                (session_id, user_id, digest, created_at, last_seen_at, expires_at, client, agent)
            VALUES (\(id), \(user), \(digest), \(now), \(now), \(now.adding(nanoseconds: limits.absolute)),
                \(client.cut(to: 64)), \(agent.cut(to: 300)))
            """)
    }

    /// Who a cookie stands for; `nil` when its session is over, was ended or never was.
    package func identity(
        session digest: [UInt8], at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) -> SessionFound? {
        try first(
            """
            SELECT session_id, user_id, role, last_seen_at
            FROM accounts.session JOIN accounts.account USING (user_id)
            WHERE digest = \(digest) AND expires_at > \(now)
                AND last_seen_at > \(now.adding(nanoseconds: -limits.idle)) AND disabled_at IS NULL
            """
        ) { row in
            let (id, user, role) = (try row.uniqueID(), try row.user(), try row.word(Role.self))
            let identity = Identity(
                user: user, role: role, scopes: Scope.all(of: role), credential: .session(id))
            return SessionFound(identity: identity, lastSeen: try row.time())
        }
    }

    /// Notes that a session is used.
    ///
    /// Call it at most once a minute for each.
    package func touchSession(_ id: UniqueID, at now: Timestamp) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.session SET last_seen_at = \(now)
            WHERE session_id = \(id) AND last_seen_at < \(now)
            """)
    }

    /// The sessions of a user that are not over, the newest first.
    package func sessions(
        of user: UserID, at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) -> [StoredSession] {
        try rows(
            """
            SELECT session_id, user_id, created_at, last_seen_at, expires_at, client, agent
            FROM accounts.session WHERE user_id = \(user) AND expires_at > \(now)
                AND last_seen_at > \(now.adding(nanoseconds: -limits.idle))
            ORDER BY created_at DESC, session_id LIMIT 500
            """
        ) { row in
            StoredSession(
                id: try row.uniqueID(), user: try row.user(), created: try row.time(),
                lastSeen: try row.time(), expires: try row.time(), client: try row.text(),
                agent: try row.text())
        }
    }

    /// Ends a session of a user; false when there is none.
    @discardableResult
    package func closeSession(_ id: UniqueID, of user: UserID) throws(StoreError) -> Bool {
        try execute(
            "DELETE FROM accounts.session WHERE session_id = \(id) AND \(owner: "user_id", is: user)") == 1
    }

    /// Ends a session, whoever's it is: for who shows its secret.
    package func endSession(_ id: UniqueID) throws(StoreError) {
        try execute("DELETE FROM accounts.session WHERE session_id = \(id)")
    }

    /// Ends all sessions of a user, but one if it is named; how many there were.
    @discardableResult
    package func closeSessions(of user: UserID, keeping id: UniqueID? = nil) throws(StoreError) -> Int {
        try execute(
            """
            DELETE FROM accounts.session
            WHERE user_id = \(user) AND (\(id)::uuid IS NULL OR session_id <> \(id))
            """)
    }

    /// Whether what was shown once still allows what it did: for live connections after a lost notification.
    package func stands(
        _ identity: Identity, at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) -> Bool {
        switch identity.credential {
        case .session(let id):
            try exists(
                """
                SELECT FROM accounts.session JOIN accounts.account USING (user_id)
                WHERE session_id = \(id) AND role = \(identity.role.rawValue) AND expires_at > \(now)
                    AND last_seen_at > \(now.adding(nanoseconds: -limits.idle)) AND disabled_at IS NULL
                """)
        case .token(let id): try isInForce(token: id, of: identity.role, at: now)
        case .terminal: try terminalUser() == identity.user
        }
    }
}

extension String {
    /// As many whole characters as fit, without zero bytes, which PostgreSQL does not take.
    func cut(to limit: Int) -> String {
        var text = ""
        for character in replacing("\0", with: "") {
            guard text.utf8.count + character.utf8.count <= limit else { break }
            text.append(character)
        }
        return text
    }
}
