public import Accounts
public import Instruments
public import Store

/// A secret that is good once.
public struct Ticket: Hashable, Sendable {
    /// What it is good for.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Makes the first operator.
        case firstOperator = "first_operator"
        /// Lets somebody sign up.
        case invitation
        /// Shows that an address is its owner's.
        case verification
        /// Sets a new password.
        case reset
        /// The challenge of a new passkey.
        case passkeyRegistration = "passkey_registration"
        /// The challenge of a passkey that signs in.
        case passkeySignIn = "passkey_sign_in"
        /// The nonce of somebody who comes from Apple.
        case appleSignIn = "apple_sign_in"
    }

    /// The key.
    public var id: UniqueID
    /// What it is good for.
    public var kind: Kind
    /// For whom; `nil` where anybody may have it.
    public var user: UserID?
    /// For which address only; `nil` for any.
    public var email: String?
    /// When it was made.
    public var created: Timestamp
    /// From when on it is good for nothing.
    public var expires: Timestamp

    /// Describes a ticket that lasts so many seconds.
    public init(
        _ kind: Kind, id: UniqueID, user: UserID? = nil, email: String? = nil, at now: Timestamp,
        seconds: Int64
    ) {
        self.id = id
        self.kind = kind
        self.user = user
        self.email = email
        created = now.stored
        expires = now.adding(nanoseconds: seconds * 1_000_000_000).stored
    }
}

extension Session {
    /// Stores a ticket.
    ///
    /// - Parameters:
    ///   - ticket: Its key is new.
    ///   - digest: SHA-256 of its secret.
    /// - Throws: ``StoreError``.
    public func addTicket(_ ticket: Ticket, digest: [UInt8]) throws(StoreError) {
        try execute(InsertTicket(ticket: ticket, digest: digest))
    }

    /// Uses a ticket up; `nil` when there is none that is good.
    ///
    /// Inside the transaction that does what it is good for, so that what fails does not cost it.
    public func useTicket(
        _ kind: Ticket.Kind, digest: [UInt8], at now: Timestamp
    ) throws(StoreError) -> Ticket? {
        try first(UseTicket(kind: kind, digest: digest, time: now))
    }

    /// Removes tickets of a kind that were not used: all of them, or those of a user.
    ///
    /// Letters with such a link that still wait are not sent: it would open nothing.
    public func dropTickets(_ kind: Ticket.Kind, of user: UserID? = nil) throws(StoreError) {
        try execute(DropTickets(kind: kind, user: user))
        try execute(VoidLetters(kind: kind, user: user))
    }

    /// Tickets of a kind that are still good, the newest first.
    public func tickets(_ kind: Ticket.Kind, at now: Timestamp) throws(StoreError) -> [Ticket] {
        try rows(ListTickets(kind: kind, time: now))
    }

    /// What failed attempts to sign in to an address make one wait for; whoever else asks waits.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameter subject: SHA-256 of the folded address.
    /// - Returns: What is known; no failures for an address that is not.
    /// - Throws: ``StoreError``.
    public func lockLoginThrottle(_ subject: [UInt8]) throws(StoreError) -> LoginThrottle {
        try execute(BeginThrottle(subject: subject))
        return try first(LockThrottle(subject: subject)) ?? LoginThrottle()
    }

    /// Stores what attempts made of it.
    public func setLoginThrottle(_ throttle: LoginThrottle, _ subject: [UInt8]) throws(StoreError) {
        try execute(UpdateThrottle(subject: subject, throttle: throttle))
    }

    /// Removes what is over: sessions, tickets, letters and failures that count no more.
    ///
    /// Tokens that are over are revoked, so that live connections hear of it.
    public func tidyAccounts(at now: Timestamp, limits: SessionLimits = SessionLimits()) throws(StoreError) {
        try endOverCredentials(at: now, limits: limits)
        try execute(DeleteOverTickets(time: now))
        try execute(DeleteOldThrottles(time: now.adding(nanoseconds: -86_400_000_000_000)))
        try execute(DeleteOldLetters(time: now))
    }

    /// Ends sessions and tokens whose time is over; live connections hear of it by
    /// ``AccountSchema/revocationChannel``.
    ///
    /// Cheap enough for each second: where none is over nothing is written.
    public func endOverCredentials(
        at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) {
        try execute(DeleteOverSessions(time: now, idle: now.adding(nanoseconds: -limits.idle)))
        try revokeOverTokens(at: now)
    }
}

struct InsertTicket: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.ticket (ticket_id, kind, digest, user_id, email, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """
    let ticket: Ticket
    let digest: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(ticket.id)
        parameters.append(ticket.kind.rawValue)
        parameters.append(bytes: digest)
        parameters.append(ticket.user?.rawValue)
        parameters.append(ticket.email)
        parameters.append(ticket.created)
        parameters.append(ticket.expires)
    }
}

enum TicketColumns {
    static let list = "ticket_id, kind, user_id, email, created_at, expires_at"

    static func read(_ row: inout RowReader) throws(StoreError) -> Ticket {
        let (id, kind) = (try row.uniqueID(), try row.word(Ticket.Kind.self))
        let (user, email) = (try row.uniqueIDOrNil(), try row.textOrNil())
        var ticket = Ticket(
            kind, id: id, user: user.map(UserID.init(rawValue:)), email: email, at: try row.time(), seconds: 0
        )
        ticket.expires = try row.time()
        return ticket
    }
}

struct UseTicket: Statement {
    static let sql = """
        UPDATE accounts.ticket SET used_at = $3
        WHERE digest = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3
        RETURNING \(TicketColumns.list)
        """
    let kind: Ticket.Kind
    let digest: [UInt8]
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(bytes: digest)
        parameters.append(kind.rawValue)
        parameters.append(time)
    }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Ticket { try TicketColumns.read(&row) }
}

struct DropTickets: Statement {
    typealias Row = Void
    static let sql = """
        DELETE FROM accounts.ticket
        WHERE kind = $1 AND used_at IS NULL AND ($2::uuid IS NULL OR user_id = $2)
        """
    let kind: Ticket.Kind
    let user: UserID?

    func bind(_ parameters: inout Parameters) {
        parameters.append(kind.rawValue)
        parameters.append(user?.rawValue)
    }
}

struct ListTickets: Statement {
    static let sql = """
        SELECT \(TicketColumns.list) FROM accounts.ticket
        WHERE kind = $1 AND used_at IS NULL AND expires_at > $2 ORDER BY created_at DESC, ticket_id LIMIT 500
        """
    let kind: Ticket.Kind
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(kind.rawValue)
        parameters.append(time)
    }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Ticket { try TicketColumns.read(&row) }
}

struct BeginThrottle: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.login_failure (subject, failures, last_at) VALUES ($1, 0, now())
        ON CONFLICT (subject) DO NOTHING
        """
    let subject: [UInt8]

    func bind(_ parameters: inout Parameters) { parameters.append(bytes: subject) }
}

struct LockThrottle: Statement {
    static let sql = "SELECT failures, last_at FROM accounts.login_failure WHERE subject = $1 FOR UPDATE"
    let subject: [UInt8]

    func bind(_ parameters: inout Parameters) { parameters.append(bytes: subject) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> LoginThrottle {
        LoginThrottle(failures: Int(try row.int32()), last: try row.time())
    }
}

struct UpdateThrottle: Statement {
    typealias Row = Void
    static let sql = "UPDATE accounts.login_failure SET failures = $2, last_at = $3 WHERE subject = $1"
    let subject: [UInt8]
    let throttle: LoginThrottle

    func bind(_ parameters: inout Parameters) {
        parameters.append(bytes: subject)
        parameters.append(Int32(clamping: throttle.failures))
        parameters.append(throttle.last)
    }
}

struct DeleteOverSessions: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.session WHERE expires_at <= $1 OR last_seen_at <= $2"
    let time: Timestamp
    let idle: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(time)
        parameters.append(idle)
    }
}

struct DeleteOverTickets: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.ticket WHERE expires_at <= $1"
    let time: Timestamp

    func bind(_ parameters: inout Parameters) { parameters.append(time) }
}

struct DeleteOldThrottles: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.login_failure WHERE last_at <= $1"
    let time: Timestamp

    func bind(_ parameters: inout Parameters) { parameters.append(time) }
}

struct DeleteOldLetters: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.letter WHERE expires_at <= $1"
    let time: Timestamp

    func bind(_ parameters: inout Parameters) { parameters.append(time) }
}
