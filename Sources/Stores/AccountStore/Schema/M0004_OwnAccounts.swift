import Store

/// That nobody who acts for a user sees how another one signs in, whatever it should be granted one day.
enum M0004_OwnAccounts: Migration {
    static let version = 4
    static let name = "own accounts"
    static let sql = tables.map {
        GatewayRole.policies("accounts.\($0)", "user_id = \(GatewayRole.actor)")
    }.joined(separator: "\n")

    private static let tables = [
        "account", "session", "token", "passkey", "totp", "recovery_code", "ticket", "setting", "flag_user",
        "letter",
    ]
}
