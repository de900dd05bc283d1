package import Accounts
package import Instruments
import MarketStore
package import Store

/// A letter about an account, to be sent by e-mail.
package struct AccountLetter: Hashable, Sendable {
    /// What it is about.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Whether the address is its owner's.
        case verification
        /// A new password.
        case reset
    }

    /// The key, which becomes the message's id.
    package var id: UniqueID
    package var user: UserID
    package var kind: Kind
    /// The secret of its link, sealed.
    package var sealed: [UInt8]
    /// When it was written.
    package var created: Timestamp
    /// From when on it is of no use.
    package var expires: Timestamp

    package init(
        id: UniqueID, user: UserID, kind: Kind, sealed: [UInt8], created: Timestamp, expires: Timestamp
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.sealed = sealed
        self.created = created.inMicroseconds
        self.expires = expires.inMicroseconds
    }
}

/// A letter that is due, with what it needs.
package struct DueLetter: Hashable, Sendable {
    package var letter: AccountLetter
    package var email: EmailAddress
    /// The language.
    package var locale: String
    /// How often it was tried, with this time.
    package var attempts: Int
}

extension Session {
    /// Puts a letter where the gateway finds it.
    package func addLetter(_ letter: AccountLetter) throws(StoreError) {
        try execute(
            """
            INSERT INTO accounts.letter (letter_id, user_id, kind, sealed, created_at, expires_at, due_at)
            VALUES (\(letter.id), \(letter.user), \(letter.kind.rawValue), \(letter.sealed),
                \(letter.created), \(letter.expires), \(letter.created))
            """)
    }

    /// Takes letters that are due; nobody else takes them before `lease` is over.
    ///
    /// - Parameters:
    ///   - limit: At most so many.
    ///   - now: The time.
    ///   - lease: Nanoseconds in which it must be said what became of them.
    /// - Returns: The letters, the longest due first.
    /// - Throws: ``StoreError``.
    package func takeLetters(
        limit: Int, at now: Timestamp, lease: Int64
    ) throws(StoreError) -> [DueLetter] {
        try rows(
            """
            WITH due AS (
                SELECT letter_id, due_at FROM accounts.letter
                WHERE sealed IS NOT NULL AND due_at <= \(now) AND expires_at > \(now)
                ORDER BY due_at, letter_id LIMIT \(Int64(limit)) FOR UPDATE SKIP LOCKED
            ), taken AS (
                UPDATE accounts.letter AS letter
                SET attempts = attempts + 1, due_at = \(now.adding(nanoseconds: lease))
                FROM due WHERE letter.letter_id = due.letter_id
                RETURNING letter.*, due.due_at AS was_due_at
            )
            SELECT letter_id, taken.user_id, kind, sealed, taken.created_at, expires_at, email, locale,
                attempts
            FROM taken JOIN accounts.account USING (user_id) JOIN accounts.setting USING (user_id)
            ORDER BY was_due_at, letter_id
            """
        ) { row in
            let letter = AccountLetter(
                id: try row.uniqueID(), user: try row.user(), kind: try row.word(AccountLetter.Kind.self),
                sealed: try row.bytes(), created: try row.time(), expires: try row.time())
            let text = try row.text()
            guard let email = try? EmailAddress(parsing: text) else { throw row.refusal() }
            return DueLetter(
                letter: letter, email: email, locale: try row.text(), attempts: Int(try row.int32()))
        }
    }

    /// Notes that a letter was sent, or will never be; its secret is removed.
    package func finishLetter(_ id: UniqueID, problem: String? = nil) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.letter
            SET sealed = NULL, due_at = 'infinity', problem = \(problem?.cut(to: 500))
            WHERE letter_id = \(id)
            """)
    }

    /// Notes that a letter could not be sent yet.
    package func postponeLetter(_ id: UniqueID, until time: Timestamp, problem: String) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.letter SET due_at = \(time), problem = \(problem.cut(to: 500))
            WHERE letter_id = \(id) AND sealed IS NOT NULL
            """)
    }

    /// Letters written to a user since a time: how many.
    package func letters(to user: UserID, since time: Timestamp) throws(StoreError) -> Int {
        let count = try first(
            "SELECT count(*) FROM accounts.letter WHERE user_id = \(user) AND created_at > \(time)"
        ) { row in try row.int64() }
        return Int(count ?? 0)
    }
}
