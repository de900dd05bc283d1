package import Store

/// Who owns rules, channels and portfolios: a row of `accounts.app_user`.
package struct UserID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UniqueID

    package init(rawValue: UniqueID) { self.rawValue = rawValue }

    /// The one who works on the machine itself; the first migration makes it.
    package static let localOperator = UserID(
        rawValue: UniqueID(high: 0x0000_0000_0000_7000, low: 0x8000_0000_0000_0001))

    package var description: String { rawValue.description }
}

extension UserID: SQLParameter {
    package var sqlValue: UniqueID { rawValue }
}

extension RowReader {
    /// The key of a user.
    package mutating func user() throws(StoreError) -> UserID { UserID(rawValue: try uniqueID()) }
}

extension Session {
    /// Keeps others from changing what a user owns, where the number of it counts, until the transaction
    /// ends; false when there is no such user.
    ///
    /// Weaker than what a deletion takes, so that rows that refer to the user can be inserted meanwhile.
    @discardableResult
    package func lockUser(_ user: UserID) throws(StoreError) -> Bool {
        try exists("SELECT user_id FROM accounts.app_user WHERE user_id = \(user) FOR NO KEY UPDATE")
    }
}
