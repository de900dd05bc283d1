package import Accounts
import Instruments
import MarketStore
package import Store

// Invitations begin and end by the clock of the database: whichever gateway is asked, and whatever its own
// clock says, they are good for as long as was said.
extension Session {
    /// Stores an invitation.
    ///
    /// - Parameters:
    ///   - id: A new key.
    ///   - email: For which address only; `nil` for any.
    ///   - seconds: How long it is good.
    ///   - digest: SHA-256 of its secret.
    /// - Returns: What was stored.
    /// - Throws: ``StoreError``.
    package func addInvitation(
        _ id: UniqueID, for email: EmailAddress?, seconds: Int64, digest: [UInt8]
    ) throws(StoreError) -> Ticket? {
        try first(
            """
            INSERT INTO accounts.ticket (ticket_id, kind, digest, email, created_at, expires_at)
            VALUES (\(id), 'invitation', \(digest), \(email?.folded), statement_timestamp(),
                statement_timestamp() + make_interval(secs => \(seconds)))
            RETURNING \(Ticket.columns)
            """, Ticket.init)
    }

    /// Uses an invitation up; `nil` when there is none that is good.
    ///
    /// Inside the transaction that makes the account, so that what fails does not cost it.
    package func useInvitation(digest: [UInt8]) throws(StoreError) -> Ticket? {
        try first(
            """
            UPDATE accounts.ticket SET used_at = statement_timestamp()
            WHERE digest = \(digest) AND kind = 'invitation' AND used_at IS NULL
                AND expires_at > statement_timestamp()
            RETURNING \(Ticket.columns)
            """, Ticket.init)
    }

    /// Invitations that are still good, the newest first.
    package func invitations() throws(StoreError) -> [Ticket] {
        try rows(
            """
            SELECT \(Ticket.columns) FROM accounts.ticket
            WHERE kind = 'invitation' AND used_at IS NULL AND expires_at > statement_timestamp()
            ORDER BY created_at DESC, ticket_id LIMIT 500
            """, Ticket.init)
    }

    /// Takes an invitation back that nobody used; false when there is none.
    package func revokeInvitation(_ id: UniqueID) throws(StoreError) -> Bool {
        try execute(
            """
            DELETE FROM accounts.ticket
            WHERE ticket_id = \(id) AND kind = 'invitation' AND used_at IS NULL
                AND expires_at > statement_timestamp()
            """) == 1
    }
}
