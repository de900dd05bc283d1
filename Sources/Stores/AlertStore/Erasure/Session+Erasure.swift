public import AccountStore
public import Instruments
import MarketStore
import PortfolioStore
public import Store

extension Session {
    /// Erases a user with everything of every schema; running services notice when it is committed: rules are
    /// forgotten, valuations stop, live connections end.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; `AccountRefused` as its ``StoreError/bodyError``, as for the last
    ///   operator.
    public func eraseUser(_ user: UserID, at now: Timestamp) throws(StoreError) {
        try beginErasure(of: user)
        let change = try first(NextChange()) ?? 0
        let rules = try rows(KeysOfRules(user: user))
        try execute(RemoveWishes(of: rules.map { "alert:\($0)" }))
        try execute(EraseAlerts(user: user))
        try execute(EmptyRules(user: user, change: change, time: now))
        try erasePortfolios(of: user)
        try endErasure(of: user)
    }
}

private struct KeysOfRules: Statement {
    static let sql = "SELECT rule_id FROM alerts.rule WHERE user_id = $1"
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> UniqueID { try row.uniqueID() }
}

/// One statement, at whose end nothing refers to anything that is gone.
private struct EraseAlerts: Statement {
    typealias Row = Void
    static let sql = """
        WITH deliveries AS (
            DELETE FROM alerts.outbox WHERE channel_id IN (
                SELECT channel_id FROM alerts.channel WHERE user_id = $1)
        ), events AS (
            DELETE FROM alerts.rule_event WHERE rule_id IN (
                SELECT rule_id FROM alerts.rule WHERE user_id = $1)
        ), firings AS (DELETE FROM alerts.firing WHERE user_id = $1)
        DELETE FROM alerts.channel WHERE user_id = $1
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }
}

/// Leaves of each rule its key and that it is no more, for who evaluates it learns of changes by their
/// numbers: nobody's from now on, about nothing, and never shown.
private struct EmptyRules: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE alerts.rule SET
            user_id = $4, venue = NULL, symbol = NULL, channels = '{}', enabled = false, state = NULL,
            epoch = 0, version = version + 1, change = $2, done_at = NULL, created_at = $3, updated_at = $3,
            deleted_at = $3, rule = json_build_object(
                'id', rule_id, 'instrument', 'erased:ERASED', 'condition', json_build_object(
                    'price', 'last', 'crosses', 'above', 'level', '1'))
        WHERE user_id = $1
        """
    let user: UserID
    let change: Int64
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(change)
        parameters.append(timestamp: time.nanoseconds)
        parameters.append(UserID.localOperator.rawValue)
    }
}
