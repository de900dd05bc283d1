package import Accounts
package import Instruments
import MarketStore
package import Store

/// Which lines of the audit log are wanted.
package struct AuditQuery: Sendable {
    /// Only what happened then or later.
    package var since: Timestamp?
    /// Only what an account did, or what is about it.
    package var account: UserID?
    package var action: AuditAction?
    /// Only what is older than this line.
    package var before: (time: Timestamp, id: UniqueID)?

    package init() {}
}

extension Session {
    /// Writes a line of the audit log; inside the transaction of what it tells of, so that neither is there
    /// without the other.
    ///
    /// Whom it is about is kept until the transaction ends: an erasure waits for that and finds the line, or
    /// it was first, and the line would be the only place that still names them.
    ///
    /// - Parameters:
    ///   - change: What was done.
    ///   - actor: By whom.
    ///   - pseudonym: The key of who was erased just now, which is nobody's.
    /// - Throws: ``StoreError``; ``AccountRefused/noSuchAccount`` as its ``StoreError/bodyError`` for who was
    ///   erased meanwhile.
    package func audit(
        _ change: AuditChange, by actor: AuditActor, ofErased pseudonym: UserID? = nil
    ) throws(StoreError) {
        let names = change.detail.keys.sorted()
        let values = names.map { change.detail[$0] ?? "" }
        // An operator who acts as somebody is not seen by them: whose account it is about is what is kept.
        let named = [change.owner ?? actor.user].compactMap(\.self).filter { $0 != pseudonym }
        let written = try execute(
            """
            INSERT INTO accounts.audit (
                actor_kind, actor_id, actor_token_id, address, command, action, subject_kind, subject_id,
                owner_id, detail)
            SELECT
                \(actor.kind.rawValue)::text, \(actor.user)::uuid, \(actor.token)::uuid,
                \(actor.address)::text, \(actor.command)::text, \(change.action.rawValue)::text,
                \(change.subject.rawValue)::text, \(change.subjectID)::uuid, \(change.owner)::uuid,
                jsonb_object(\(names)::text[], \(values)::text[])
            WHERE cardinality(\(named)::uuid[]) = (
                SELECT count(*) FROM (
                    SELECT FROM accounts.app_user WHERE user_id = ANY (\(named))
                    ORDER BY user_id FOR KEY SHARE
                ) AS kept)
            """)
        guard written == 1 else { throw .body(AccountRefused.noSuchAccount) }
    }

    /// Lines of the audit log, the newest first.
    ///
    /// - Throws: ``StoreError``.
    package func auditEntries(_ query: AuditQuery, limit: Int) throws(StoreError) -> [AuditEntry] {
        try rows(
            """
            SELECT \(AuditEntry.columns) FROM accounts.audit
            WHERE (\(query.since)::timestamptz IS NULL OR happened_at >= \(query.since))
                AND (\(query.account)::uuid IS NULL OR actor_id = \(query.account)
                    OR owner_id = \(query.account))
                AND (\(query.action?.rawValue)::text IS NULL OR action = \(query.action?.rawValue))
                AND (\(query.before?.time)::timestamptz IS NULL
                    OR (happened_at, audit_id) < (\(query.before?.time), \(query.before?.id)))
            ORDER BY happened_at DESC, audit_id DESC LIMIT \(Int64(limit))
            """, AuditEntry.init)
    }

    /// Removes lines that are older than two years (DESIGN.md 11.8); the database keeps all others.
    func sweepAudit() throws(StoreError) {
        try execute(
            "DELETE FROM accounts.audit WHERE happened_at < clock_timestamp() - interval '2 years'")
    }

    /// Puts a key that is nobody's in the place of a user's and of those of their things, and takes the
    /// addresses away; part of an erasure.
    ///
    /// - Returns: That key: the entries of one who was erased still belong together.
    /// - Throws: ``StoreError``.
    func eraseFromAudit(_ user: UserID) throws(StoreError) -> UserID {
        let made = try first("SELECT gen_random_uuid()") { row in try row.user() }
        // A SELECT without FROM has one row.
        let pseudonym = made ?? user
        try execute(
            """
            UPDATE accounts.audit SET
                actor_id = CASE WHEN actor_id = \(user) THEN \(pseudonym) ELSE actor_id END,
                actor_token_id = CASE WHEN actor_id = \(user) THEN NULL ELSE actor_token_id END,
                address = CASE WHEN actor_id = \(user) THEN NULL ELSE address END,
                subject_id = CASE
                    WHEN owner_id = \(user) AND subject_id IS NOT NULL THEN \(pseudonym)
                    ELSE subject_id END,
                owner_id = CASE WHEN owner_id = \(user) THEN \(pseudonym) ELSE owner_id END
            WHERE actor_id = \(user) OR owner_id = \(user)
            """)
        return pseudonym
    }
}
