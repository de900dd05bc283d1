package import Accounts
package import Store

extension Session {
    /// All feature flags by their names, with all users for whom they are decided by hand.
    package func flags() throws(StoreError) -> [FeatureFlag] { try flags(for: nil) }

    /// All feature flags by their names, with what is decided by hand for one user.
    package func flags(for user: UserID) throws(StoreError) -> [FeatureFlag] {
        try flags(for: Optional(user))
    }

    /// Replaces all feature flags.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused/noSuchAccount`` as its ``StoreError/bodyError`` when a flag
    ///   names a user without an account.
    package func setFlags(_ flags: [FeatureFlag]) throws(StoreError) {
        try execute("DELETE FROM accounts.flag")
        for flag in flags {
            try execute(
                """
                INSERT INTO accounts.flag (name, note, percentage)
                VALUES (\(flag.name), \(flag.note), \(Int16(clamping: flag.percentage)))
                """)
            for (text, isOn) in flag.users {
                guard let id = UniqueID(text), try decide(flag.name, for: id, isOn) else {
                    throw .body(AccountRefused.noSuchAccount)
                }
            }
        }
    }

    /// Decides a flag for one user by hand; false when there is no such account.
    private func decide(_ flag: String, for user: UniqueID, _ isOn: Bool) throws(StoreError) -> Bool {
        try execute(
            """
            INSERT INTO accounts.flag_user (name, user_id, is_on)
            SELECT \(flag), user_id, \(isOn) FROM accounts.account WHERE user_id = \(user)
            """) == 1
    }

    private func flags(for user: UserID?) throws(StoreError) -> [FeatureFlag] {
        let decisions = try rows(
            """
            SELECT name, user_id, is_on FROM accounts.flag_user
            WHERE \(user)::uuid IS NULL OR user_id = \(user)
            """
        ) { row in (flag: try row.text(), user: try row.uniqueID(), isOn: try row.bool()) }
        var users: [String: [String: Bool]] = [:]
        for decision in decisions {
            users[decision.flag, default: [:]][decision.user.description] = decision.isOn
        }
        var flags = try rows("SELECT name, note, percentage FROM accounts.flag ORDER BY name LIMIT 500") {
            row in
            let (name, note, percentage) = (try row.text(), try row.text(), Int(try row.int16()))
            guard let flag = try? FeatureFlag(name: name, note: note, percentage: percentage) else {
                throw row.refusal()
            }
            return flag
        }
        for index in flags.indices { flags[index].users = users[flags[index].name] ?? [:] }
        return flags
    }
}
