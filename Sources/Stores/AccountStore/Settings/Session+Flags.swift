public import Accounts
public import Store

extension Session {
    /// All feature flags by their names, with all users for whom they are decided by hand.
    public func flags() throws(StoreError) -> [FeatureFlag] { try flags(for: nil) }

    /// All feature flags by their names, with what is decided by hand for one user.
    public func flags(for user: UserID) throws(StoreError) -> [FeatureFlag] { try flags(for: Optional(user)) }

    /// Replaces all feature flags.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused/noSuchAccount`` as its ``StoreError/bodyError`` when a flag
    ///   names a user without an account.
    public func setFlags(_ flags: [FeatureFlag]) throws(StoreError) {
        try execute(DeleteFlags())
        for flag in flags {
            try execute(InsertFlag(flag: flag))
            for (text, isOn) in flag.users {
                guard let id = UniqueID(text),
                    try execute(InsertFlagUser(name: flag.name, user: id, isOn: isOn)) == 1
                else { throw .body(AccountRefused.noSuchAccount) }
            }
        }
    }

    private func flags(for user: UserID?) throws(StoreError) -> [FeatureFlag] {
        var users: [String: [String: Bool]] = [:]
        for row in try rows(ListFlagUsers(user: user)) {
            users[row.name, default: [:]][row.user.description] = row.isOn
        }
        var flags = try rows(ListFlags())
        for index in flags.indices { flags[index].users = users[flags[index].name] ?? [:] }
        return flags
    }
}

struct DeleteFlags: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.flag"
}

struct InsertFlag: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO accounts.flag (name, note, percentage) VALUES ($1, $2, $3)"
    let flag: FeatureFlag

    func bind(_ parameters: inout Parameters) {
        parameters.append(flag.name)
        parameters.append(flag.note)
        parameters.append(Int16(clamping: flag.percentage))
    }
}

struct InsertFlagUser: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.flag_user (name, user_id, is_on)
        SELECT $1, user_id, $3 FROM accounts.account WHERE user_id = $2
        """
    let name: String
    let user: UniqueID
    let isOn: Bool

    func bind(_ parameters: inout Parameters) {
        parameters.append(name)
        parameters.append(user)
        parameters.append(isOn)
    }
}

struct ListFlags: Statement {
    static let sql = "SELECT name, note, percentage FROM accounts.flag ORDER BY name LIMIT 500"

    static func decode(_ row: inout RowReader) throws(StoreError) -> FeatureFlag {
        let (name, note, percentage) = (try row.text(), try row.text(), Int(try row.int16()))
        do {
            return try FeatureFlag(name: name, note: note, percentage: percentage)
        } catch {
            throw row.refusal()
        }
    }
}

struct ListFlagUsers: Statement {
    struct Row {
        var name: String
        var user: UniqueID
        var isOn: Bool
    }

    static let sql = """
        SELECT name, user_id, is_on FROM accounts.flag_user WHERE $1::uuid IS NULL OR user_id = $1
        """
    let user: UserID?

    func bind(_ parameters: inout Parameters) { parameters.append(user?.rawValue) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        Row(name: try row.text(), user: try row.uniqueID(), isOn: try row.bool())
    }
}
