import Store

/// That a rule which its owner tests heeds whether the owner's devices are told of alerts.
enum M0007_AlertPreference: Migration {
    static let version = 7
    static let name = "alert preference"
    static let sql = "GRANT SELECT (user_id, alerts) ON accounts.setting TO bitpal_gateway;"
}
