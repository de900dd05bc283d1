import Accounts
public import Instruments
public import Store

/// A passkey of a user.
public struct StoredPasskey: Hashable, Sendable {
    /// The key of its row.
    public var id: UniqueID
    /// Whose.
    public var user: UserID
    /// By which the device knows it.
    public var credential: [UInt8]
    /// What its signatures are checked with, in COSE's form.
    public var publicKey: [UInt8]
    /// How often it has signed, or 0.
    public var counter: UInt32
    /// What its owner calls it.
    public var name: String
    /// When it was made.
    public var created: Timestamp
    /// When it was last used.
    public var lastUsed: Timestamp?

    /// Describes a passkey.
    public init(
        id: UniqueID, user: UserID, credential: [UInt8], publicKey: [UInt8], counter: UInt32, name: String,
        created: Timestamp
    ) {
        self.id = id
        self.user = user
        self.credential = credential
        self.publicKey = publicKey
        self.counter = counter
        self.name = name
        self.created = created.stored
    }
}

extension Session {
    /// Passkeys of one user, at most.
    public static let passkeyLimit = 20

    /// Adds a passkey.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    public func addPasskey(_ passkey: StoredPasskey) throws(StoreError) {
        guard (1...64).contains(passkey.name.utf8.count),
            passkey.name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            let fault = AccountFault("name", "\(passkey.name.utf8.count) bytes", "one line of 1...64 bytes")
            throw .body(AccountRefused.fault(fault))
        }
        guard try first(LockUser(passkey.user)) != nil else { throw .body(AccountRefused.noSuchAccount) }
        guard try passkeys(of: passkey.user).count < Self.passkeyLimit else {
            throw .body(AccountRefused.tooMany("passkeys", limit: Self.passkeyLimit))
        }
        guard try execute(InsertPasskey(passkey: passkey)) == 1 else {
            throw .body(AccountRefused.passkeyTaken)
        }
    }

    /// A user's passkeys, the first one first.
    public func passkeys(of user: UserID) throws(StoreError) -> [StoredPasskey] {
        try rows(ListPasskeys(user: user))
    }

    /// A passkey by what the device knows it by; whoever else asks inside a transaction waits.
    public func lockPasskey(credential: [UInt8]) throws(StoreError) -> StoredPasskey? {
        try first(LockPasskey(credential: credential))
    }

    /// Notes that a passkey was used.
    public func touchPasskey(_ id: UniqueID, counter: UInt32, at now: Timestamp) throws(StoreError) {
        try execute(TouchPasskey(id: id, counter: counter, time: now))
    }

    /// Removes a user's passkey; false when there is none.
    public func removePasskey(_ id: UniqueID, of user: UserID) throws(StoreError) -> Bool {
        try execute(DeletePasskey(id: id, user: user)) == 1
    }
}

enum PasskeyColumns {
    static let list = """
        passkey_id, user_id, credential, public_key, counter, name, created_at, last_used_at
        """

    static func read(_ row: inout RowReader) throws(StoreError) -> StoredPasskey {
        var passkey = StoredPasskey(
            id: try row.uniqueID(), user: try row.user(), credential: try row.bytes(),
            publicKey: try row.bytes(), counter: UInt32(clamping: try row.int64()), name: try row.text(),
            created: try row.time())
        passkey.lastUsed = try row.timeOrNil()
        return passkey
    }
}

struct InsertPasskey: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.passkey
            (passkey_id, user_id, credential, public_key, counter, name, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
        """
    let passkey: StoredPasskey

    func bind(_ parameters: inout Parameters) {
        parameters.append(passkey.id)
        parameters.append(passkey.user)
        parameters.append(bytes: passkey.credential)
        parameters.append(bytes: passkey.publicKey)
        parameters.append(Int64(passkey.counter))
        parameters.append(passkey.name)
        parameters.append(passkey.created)
    }
}

struct ListPasskeys: Statement {
    static let sql = """
        SELECT \(PasskeyColumns.list) FROM accounts.passkey WHERE user_id = $1 ORDER BY created_at, passkey_id
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredPasskey {
        try PasskeyColumns.read(&row)
    }
}

struct LockPasskey: Statement {
    static let sql = "SELECT \(PasskeyColumns.list) FROM accounts.passkey WHERE credential = $1 FOR UPDATE"
    let credential: [UInt8]

    func bind(_ parameters: inout Parameters) { parameters.append(bytes: credential) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredPasskey {
        try PasskeyColumns.read(&row)
    }
}

struct TouchPasskey: Statement {
    typealias Row = Void
    static let sql = "UPDATE accounts.passkey SET counter = $2, last_used_at = $3 WHERE passkey_id = $1"
    let id: UniqueID
    let counter: UInt32
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(Int64(counter))
        parameters.append(time)
    }
}

struct DeletePasskey: Statement {
    typealias Row = Void
    static let sql =
        "DELETE FROM accounts.passkey WHERE passkey_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))"
    let id: UniqueID
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user)
    }
}
