package import Accounts
package import Instruments
import MarketStore
package import Store

/// What somebody did.
package struct AuditChange: Hashable, Sendable {
    package var action: AuditAction
    package var subject: AuditSubject
    /// The key of what was changed, where it has one.
    package var subjectID: UniqueID?
    /// Whose account it is about, where it is about one.
    package var owner: UserID?
    /// What changed: words, numbers and times; no secret, and no text that a person wrote.
    package var detail: [String: String]

    package init(
        _ action: AuditAction, _ subject: AuditSubject, _ id: UniqueID? = nil, of owner: UserID? = nil,
        with detail: [String: String] = [:]
    ) {
        (self.action, self.subject, self.subjectID) = (action, subject, id)
        (self.owner, self.detail) = (owner, detail)
    }

    /// A change of an account itself.
    package init(
        _ action: AuditAction, account user: UserID, with detail: [String: String] = [:]
    ) {
        self.init(action, .account, user.rawValue, of: user, with: detail)
    }
}

/// A line of the audit log.
package struct AuditEntry: Hashable, Sendable {
    package var id: UniqueID
    /// By the clock of the database.
    package var time: Timestamp
    package var actor: AuditActor
    /// The word of ``AuditAction``, or one of another version of the program.
    package var action: String
    /// The word of ``AuditSubject``, or one of another version of the program.
    package var subject: String
    package var subjectID: UniqueID?
    package var owner: UserID?
    package var detail: [String: String]
}

extension AuditEntry {
    static let columns: SQL = """
        audit_id, happened_at, actor_kind, actor_id, actor_token_id, address, command, action, \
        subject_kind, subject_id, owner_id, \
        ARRAY(SELECT key FROM jsonb_each_text(detail) ORDER BY key), \
        ARRAY(SELECT coalesce(value, '') FROM jsonb_each_text(detail) ORDER BY key)
        """

    init(_ row: inout RowReader) throws(StoreError) {
        (id, time) = (try row.uniqueID(), try row.time())
        actor = AuditActor(
            kind: try row.word(AuditActor.Kind.self),
            user: try row.uniqueIDOrNil().map(UserID.init(rawValue:)), token: try row.uniqueIDOrNil(),
            address: try row.textOrNil(), command: try row.text())
        (action, subject) = (try row.text(), try row.text())
        (subjectID, owner) = (try row.uniqueIDOrNil(), try row.uniqueIDOrNil().map(UserID.init(rawValue:)))
        let (names, values) = (try row.textArray(), try row.textArray())
        detail = Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    }
}
