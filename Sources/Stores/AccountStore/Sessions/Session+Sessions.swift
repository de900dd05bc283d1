import Accounts
public import Instruments
public import Store

/// How long a session lasts (RELIABILITY.md 6.5, S3).
public struct SessionLimits: Hashable, Sendable {
    /// Nanoseconds without a request after which it is over.
    public var idle: Int64
    /// Nanoseconds after which it is over anyway.
    public var absolute: Int64

    /// Half an hour and twelve hours.
    public init(idle: Int64 = 1_800_000_000_000, absolute: Int64 = 43_200_000_000_000) {
        self.idle = idle
        self.absolute = absolute
    }
}

/// A session of somebody who signed in.
public struct StoredSession: Hashable, Sendable {
    /// The key.
    public var id: UniqueID
    /// Whose.
    public var user: UserID
    /// When somebody signed in.
    public var created: Timestamp
    /// When it was last used, to the minute.
    public var lastSeen: Timestamp
    /// When it is over.
    public var expires: Timestamp
    /// The address that it was made from.
    public var client: String
    /// What the browser or app calls itself.
    public var agent: String
}

/// Who a session's cookie stands for, and whether that is to be noted.
public struct SessionFound: Hashable, Sendable {
    /// Who.
    public var identity: Identity
    /// When it was last noted that the session is used.
    public var lastSeen: Timestamp
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
    public func openSession(
        _ id: UniqueID, digest: [UInt8], of user: UserID, client: String, agent: String, at now: Timestamp,
        limits: SessionLimits = SessionLimits()
    ) throws(StoreError) {
        let session = StoredSession(
            id: id, user: user, created: now, lastSeen: now,
            expires: now.adding(nanoseconds: limits.absolute), client: client.cut(to: 64),
            agent: agent.cut(to: 300))
        try execute(InsertSession(session: session, digest: digest))
    }

    /// Who a cookie stands for; `nil` when its session is over, was ended or never was.
    public func identity(
        session digest: [UInt8], at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) -> SessionFound? {
        try first(FindSession(digest: digest, time: now, limits: limits))
    }

    /// Notes that a session is used.
    ///
    /// Call it at most once a minute for each.
    public func touchSession(_ id: UniqueID, at now: Timestamp) throws(StoreError) {
        try execute(TouchSession(id: id, time: now))
    }

    /// The sessions of a user that are not over, the newest first.
    public func sessions(
        of user: UserID, at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) -> [StoredSession] {
        try rows(ListSessions(user: user, time: now, limits: limits))
    }

    /// Ends a session of a user; false when there is none.
    @discardableResult
    public func closeSession(_ id: UniqueID, of user: UserID) throws(StoreError) -> Bool {
        try execute(DeleteSession(id: id, user: user)) == 1
    }

    /// Ends a session, whoever's it is: for who shows its secret.
    public func endSession(_ id: UniqueID) throws(StoreError) { try execute(EndSession(id: id)) }

    /// Ends all sessions of a user, but one if it is named; how many there were.
    @discardableResult
    public func closeSessions(of user: UserID, keeping id: UniqueID? = nil) throws(StoreError) -> Int {
        try execute(DeleteSessions(user: user, kept: id))
    }

    /// Whether what was shown once still allows what it did: for live connections after a lost notification.
    public func stands(
        _ identity: Identity, at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) -> Bool {
        switch identity.credential {
        case .session(let id):
            try first(SessionStands(id: id, role: identity.role, time: now, limits: limits)) ?? false
        case .token(let id): try isInForce(token: id, of: identity.role, at: now)
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

struct InsertSession: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.session
            (session_id, user_id, digest, created_at, last_seen_at, expires_at, client, agent)
        VALUES ($1, $2, $3, $4, $4, $5, $6, $7)
        """
    let session: StoredSession
    let digest: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(session.id)
        parameters.append(session.user)
        parameters.append(bytes: digest)
        parameters.append(session.created)
        parameters.append(session.expires)
        parameters.append(session.client)
        parameters.append(session.agent)
    }
}

struct FindSession: Statement {
    static let sql = """
        SELECT session_id, user_id, role, last_seen_at
        FROM accounts.session JOIN accounts.account USING (user_id)
        WHERE digest = $1 AND expires_at > $2 AND last_seen_at > $3 AND disabled_at IS NULL
        """
    let digest: [UInt8]
    let time: Timestamp
    let limits: SessionLimits

    func bind(_ parameters: inout Parameters) {
        parameters.append(bytes: digest)
        parameters.append(time)
        parameters.append(time.adding(nanoseconds: -limits.idle))
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> SessionFound {
        let (id, user, role) = (try row.uniqueID(), try row.user(), try row.word(Role.self))
        let identity = Identity(user: user, role: role, scopes: Scope.all(of: role), credential: .session(id))
        return SessionFound(identity: identity, lastSeen: try row.time())
    }
}

struct TouchSession: Statement {
    typealias Row = Void
    static let sql =
        "UPDATE accounts.session SET last_seen_at = $2 WHERE session_id = $1 AND last_seen_at < $2"
    let id: UniqueID
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(time)
    }
}

struct ListSessions: Statement {
    static let sql = """
        SELECT session_id, user_id, created_at, last_seen_at, expires_at, client, agent
        FROM accounts.session WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3
        ORDER BY created_at DESC, session_id LIMIT 500
        """
    let user: UserID
    let time: Timestamp
    let limits: SessionLimits

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(time)
        parameters.append(time.adding(nanoseconds: -limits.idle))
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredSession {
        StoredSession(
            id: try row.uniqueID(), user: try row.user(), created: try row.time(), lastSeen: try row.time(),
            expires: try row.time(), client: try row.text(), agent: try row.text())
    }
}

struct DeleteSession: Statement {
    typealias Row = Void
    static let sql =
        "DELETE FROM accounts.session WHERE session_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))"
    let id: UniqueID
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user)
    }
}

struct EndSession: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.session WHERE session_id = $1"
    let id: UniqueID

    func bind(_ parameters: inout Parameters) { parameters.append(id) }
}

struct DeleteSessions: Statement {
    typealias Row = Void
    static let sql = """
        DELETE FROM accounts.session WHERE user_id = $1 AND ($2::uuid IS NULL OR session_id <> $2)
        """
    let user: UserID
    let kept: UniqueID?

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(kept)
    }
}

struct SessionStands: Statement {
    static let sql = """
        SELECT EXISTS (
            SELECT FROM accounts.session JOIN accounts.account USING (user_id)
            WHERE session_id = $1 AND role = $2 AND expires_at > $3 AND last_seen_at > $4
                AND disabled_at IS NULL)
        """
    let id: UniqueID
    let role: Role
    let time: Timestamp
    let limits: SessionLimits

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(role.rawValue)
        parameters.append(time)
        parameters.append(time.adding(nanoseconds: -limits.idle))
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}
