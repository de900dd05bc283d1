public import AccountStore
public import Store

/// Switches a channel of a user on or off; `execute` returns 1, or 0 when there is none.
public struct SetChannel: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.channel SET
            disabled_at = CASE WHEN $3 THEN NULL ELSE COALESCE(disabled_at, clock_timestamp()) END
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND name = $2
        """

    private let name: String
    private let user: UserID
    private let isEnabled: Bool

    /// Names the channel and what is wanted.
    public init(_ name: String, of user: UserID, enabled isEnabled: Bool) {
        self.name = name
        self.user = user
        self.isEnabled = isEnabled
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(name)
        parameters.append(isEnabled)
    }
}

/// Notes the code that is sent to a channel so that its owner can say it; `execute` returns 1, or 0.
public struct SetChannelCode: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql =
        "UPDATE alerts.channel SET code = $3 WHERE \(OwnerPredicate.sql("user_id = $1")) AND name = $2"

    private let name: String
    private let user: UserID
    private let code: String

    /// Takes a code of 6...64 bytes.
    public init(_ name: String, of user: UserID, code: String) {
        self.name = name
        self.user = user
        self.code = code
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(name)
        parameters.append(code)
    }
}

/// Makes a channel usable whose owner says the code that was sent there.
///
/// A wrong code takes the right one away, so that nobody can try them all.
public struct VerifyChannel: Statement {
    /// Whether the code was the right one; no row when there is no such channel or no code.
    public typealias Row = Bool

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.channel SET
            verified_at =
                CASE WHEN code = $3 THEN COALESCE(verified_at, clock_timestamp()) ELSE verified_at END,
            code = NULL
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND name = $2 AND code IS NOT NULL
        RETURNING verified_at IS NOT NULL
        """

    private let name: String
    private let user: UserID
    private let code: String

    /// Takes what the owner says.
    public init(_ name: String, of user: UserID, code: String) {
        self.name = name
        self.user = user
        self.code = code
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(name)
        parameters.append(code)
    }

    /// Reads the answer.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}
