public import Store

/// Who owns rules, channels and portfolios: a row of `accounts.app_user`.
public struct UserID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The key.
    public let rawValue: UniqueID

    /// Wraps a key.
    public init(rawValue: UniqueID) { self.rawValue = rawValue }

    /// The one who works on the machine itself; the first migration makes it.
    public static let localOperator = UserID(
        rawValue: UniqueID(high: 0x0000_0000_0000_7000, low: 0x8000_0000_0000_0001))

    /// The key's canonical form.
    public var description: String { rawValue.description }
}

extension UserID: SQLParameter {
    package var sqlValue: UniqueID { rawValue }
}

/// Keeps others from changing what a user owns, where the number of it counts, until the transaction ends.
///
/// One row, or none when there is no such user. Weaker than what a deletion takes, so that rows that refer
/// to the user can be inserted meanwhile.
public struct LockUser: Statement {
    /// The statement's text.
    public static let sql = "SELECT user_id FROM accounts.app_user WHERE user_id = $1 FOR NO KEY UPDATE"

    private let user: UserID

    /// Names the user.
    public init(_ user: UserID) { self.user = user }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    /// Reads the key.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> UserID {
        UserID(rawValue: try row.uniqueID())
    }
}
