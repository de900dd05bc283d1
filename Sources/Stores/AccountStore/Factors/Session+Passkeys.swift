import Accounts
package import Instruments
import MarketStore
package import Store

/// A passkey of a user.
package struct StoredPasskey: Hashable, Sendable {
    /// The key of its row.
    package var id: UniqueID
    package var user: UserID
    /// By which the device knows it.
    package var credential: [UInt8]
    /// What its signatures are checked with, in COSE's form.
    package var publicKey: [UInt8]
    /// How often it has signed, or 0.
    package var counter: UInt32
    /// What its owner calls it.
    package var name: String
    package var created: Timestamp
    /// When it was last used.
    package var lastUsed: Timestamp?

    package init(
        id: UniqueID, user: UserID, credential: [UInt8], publicKey: [UInt8], counter: UInt32, name: String,
        created: Timestamp
    ) {
        self.id = id
        self.user = user
        self.credential = credential
        self.publicKey = publicKey
        self.counter = counter
        self.name = name
        self.created = created.inMicroseconds
    }
}

extension Session {
    /// Passkeys of one user, at most, unless it is said otherwise.
    package static let passkeyLimit = 20

    /// Adds a passkey.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - passkey: Its key is new.
    ///   - limit: Passkeys of its user, at most.
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    package func addPasskey(
        _ passkey: StoredPasskey, limit: Int = passkeyLimit
    ) throws(StoreError) {
        guard (1...64).contains(passkey.name.utf8.count),
            passkey.name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            let fault = FieldFault(
                "name", "\(passkey.name.utf8.count) bytes", accepted: "one line of 1...64 bytes")
            throw .body(AccountRefused.fault(fault))
        }
        guard try lockUser(passkey.user) else { throw .body(AccountRefused.noSuchAccount) }
        // Behind the lock: of two at once the later one counts the earlier one.
        let count =
            try first(
                "SELECT count(*) FROM accounts.passkey WHERE \(owner: "user_id", is: passkey.user)"
            ) { Int(try $0.int64()) } ?? 0
        guard count < limit else {
            throw .body(
                AccountRefused.quota(
                    QuotaFault("passkeys", count: count + 1, limit: limit, advice: "remove one first")))
        }
        let inserted = try execute(
            """
            INSERT INTO accounts.passkey
                (passkey_id, user_id, credential, public_key, counter, name, created_at)
            VALUES (\(passkey.id), \(passkey.user), \(passkey.credential), \(passkey.publicKey),
                \(Int64(passkey.counter)), \(passkey.name), \(passkey.created))
            ON CONFLICT DO NOTHING
            """)
        guard inserted == 1 else { throw .body(AccountRefused.passkeyTaken) }
    }

    /// A user's passkeys, the first one first.
    package func passkeys(of user: UserID) throws(StoreError) -> [StoredPasskey] {
        try rows(
            """
            SELECT \(StoredPasskey.columns) FROM accounts.passkey WHERE user_id = \(user)
            ORDER BY created_at, passkey_id
            """, StoredPasskey.init)
    }

    /// A passkey by what the device knows it by; whoever else asks inside a transaction waits.
    package func lockPasskey(credential: [UInt8]) throws(StoreError) -> StoredPasskey? {
        try first(
            """
            SELECT \(StoredPasskey.columns) FROM accounts.passkey WHERE credential = \(credential)
            FOR UPDATE
            """, StoredPasskey.init)
    }

    /// Notes that a passkey was used.
    package func touchPasskey(_ id: UniqueID, counter: UInt32, at now: Timestamp) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.passkey SET counter = \(Int64(counter)), last_used_at = \(now)
            WHERE passkey_id = \(id)
            """)
    }

    /// Removes a user's passkey; false when there is none.
    package func removePasskey(_ id: UniqueID, of user: UserID) throws(StoreError) -> Bool {
        try execute(
            "DELETE FROM accounts.passkey WHERE passkey_id = \(id) AND \(owner: "user_id", is: user)") == 1
    }
}

extension StoredPasskey {
    static let columns: SQL =
        "passkey_id, user_id, credential, public_key, counter, name, created_at, last_used_at"

    init(_ row: inout RowReader) throws(StoreError) {
        self.init(
            id: try row.uniqueID(), user: try row.user(), credential: try row.bytes(),
            publicKey: try row.bytes(), counter: UInt32(clamping: try row.int64()), name: try row.text(),
            created: try row.time())
        lastUsed = try row.timeOrNil()
    }
}
