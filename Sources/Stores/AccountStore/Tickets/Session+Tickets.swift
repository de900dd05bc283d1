import Accounts
package import Instruments
import MarketStore
package import Store

/// A secret that is good once.
package struct Ticket: Hashable, Sendable {
    /// What it is good for.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
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

    package var id: UniqueID
    /// What it is good for.
    package var kind: Kind
    /// For whom; `nil` where anybody may have it.
    package var user: UserID?
    /// For which address only; `nil` for any.
    package var email: String?
    package var created: Timestamp
    /// From when on it is good for nothing.
    package var expires: Timestamp

    /// Describes a ticket that lasts so many seconds.
    package init(
        _ kind: Kind, id: UniqueID, user: UserID? = nil, email: String? = nil, at now: Timestamp,
        seconds: Int64
    ) {
        self.id = id
        self.kind = kind
        self.user = user
        self.email = email
        created = now.inMicroseconds
        expires = now.adding(nanoseconds: seconds * 1_000_000_000).inMicroseconds
    }
}

extension Session {
    /// Stores a ticket.
    ///
    /// - Parameters:
    ///   - ticket: Its key is new.
    ///   - digest: SHA-256 of its secret.
    /// - Throws: ``StoreError``.
    package func addTicket(_ ticket: Ticket, digest: [UInt8]) throws(StoreError) {
        try execute(
            """
            INSERT INTO accounts.ticket (ticket_id, kind, digest, user_id, email, created_at, expires_at)
            VALUES (\(ticket.id), \(ticket.kind.rawValue), \(digest), \(ticket.user), \(ticket.email),
                \(ticket.created), \(ticket.expires))
            """)
    }

    /// Uses a ticket up; `nil` when there is none that is good.
    ///
    /// Inside the transaction that does what it is good for, so that what fails does not cost it.
    package func useTicket(
        _ kind: Ticket.Kind, digest: [UInt8], at now: Timestamp
    ) throws(StoreError) -> Ticket? {
        try first(
            """
            UPDATE accounts.ticket SET used_at = \(now)
            WHERE digest = \(digest) AND kind = \(kind.rawValue) AND used_at IS NULL AND expires_at > \(now)
            RETURNING \(Ticket.columns)
            """, Ticket.init)
    }

    /// Removes tickets of a kind that were not used: all of them, or those of a user.
    ///
    /// Letters with such a link that still wait are not sent: it would open nothing.
    package func dropTickets(_ kind: Ticket.Kind, of user: UserID? = nil) throws(StoreError) {
        try execute(
            """
            DELETE FROM accounts.ticket
            WHERE kind = \(kind.rawValue) AND used_at IS NULL AND (\(user)::uuid IS NULL OR user_id = \(user))
            """)
        // Letters are of the kinds of their tickets, by the same words.
        try execute(
            """
            UPDATE accounts.letter SET sealed = NULL, due_at = 'infinity', problem = 'its link was withdrawn'
            WHERE kind = \(kind.rawValue) AND sealed IS NOT NULL
                AND (\(user)::uuid IS NULL OR user_id = \(user))
            """)
    }

    /// Removes what is over: sessions, tickets, letters, failures that count no more, and old lines of the
    /// audit log.
    ///
    /// Tokens that are over are revoked, so that live connections hear of it.
    package func tidyAccounts(at now: Timestamp, limits: SessionLimits = SessionLimits()) throws(StoreError) {
        try endOverCredentials(at: now, limits: limits)
        try execute(
            """
            DELETE FROM accounts.ticket WHERE expires_at <= \(now)
                AND (kind <> 'invitation' OR expires_at <= statement_timestamp())
            """)
        let yesterday = now.adding(nanoseconds: -86_400_000_000_000)
        try execute("DELETE FROM accounts.login_failure WHERE last_at <= \(yesterday)")
        try execute("DELETE FROM accounts.letter WHERE expires_at <= \(now)")
        try sweepAudit()
    }

    /// Ends sessions and tokens whose time is over; live connections hear of it by
    /// ``AccountSchema/revocationChannel``.
    ///
    /// Cheap enough for each second: where none is over nothing is written.
    package func endOverCredentials(
        at now: Timestamp, limits: SessionLimits = SessionLimits()
    ) throws(StoreError) {
        let idle = now.adding(nanoseconds: -limits.idle)
        try execute("DELETE FROM accounts.session WHERE expires_at <= \(now) OR last_seen_at <= \(idle)")
        try revokeOverTokens(at: now)
    }
}

extension Ticket {
    static let columns: SQL = "ticket_id, kind, user_id, email, created_at, expires_at"

    init(_ row: inout RowReader) throws(StoreError) {
        let (id, kind) = (try row.uniqueID(), try row.word(Kind.self))
        let (user, email) = (try row.uniqueIDOrNil(), try row.textOrNil())
        self.init(
            kind, id: id, user: user.map(UserID.init(rawValue:)), email: email, at: try row.time(), seconds: 0
        )
        expires = try row.time()
    }
}
