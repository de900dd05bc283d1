import AccountStore
import Alerting
import Instruments
import MarketStore
import Store

/// Rules of a user that count towards the limit.
struct CountEnabled: Statement {
    static let sql = """
        SELECT count(*) FROM alerts.rule
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND deleted_at IS NULL AND enabled AND done_at IS NULL
        """

    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Int { Int(try row.int64()) }
}

/// The rules of a user that are switched on and not done.
struct EnabledRules: Statement {
    static let sql = """
        SELECT \(RuleColumns.list) FROM alerts.rule AS rule
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND deleted_at IS NULL AND enabled AND done_at IS NULL
        """

    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.read(&row)
    }
}

/// Which of some keys are taken, by whomever, deleted rules included.
struct TakenKeys: Statement {
    static let sql = "SELECT rule_id FROM alerts.rule WHERE rule_id = ANY ($1)"

    let ids: [UniqueID]

    func bind(_ parameters: inout Parameters) { parameters.append(ids) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> UniqueID { try row.uniqueID() }
}

/// Which of some keys are of rules that a user has deleted.
struct DeletedKeys: Statement {
    static let sql = """
        SELECT rule_id FROM alerts.rule
        WHERE rule_id = ANY ($1) AND deleted_at IS NOT NULL AND \(OwnerPredicate.sql("user_id = $2"))
        """

    let ids: [UniqueID]
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(ids)
        parameters.append(user.rawValue)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> UniqueID { try row.uniqueID() }
}

/// Which of some instruments are known.
struct KnownInstruments: Statement {
    static let sql = """
        SELECT venue, symbol FROM market.instrument
        WHERE (venue, symbol) IN (SELECT * FROM unnest($1::text[], $2::text[]))
        """

    let ids: [InstrumentID]

    func bind(_ parameters: inout Parameters) {
        parameters.append(ids.map(\.venue.rawValue))
        parameters.append(ids.map(\.symbol))
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> InstrumentID {
        InstrumentID(venue: Venue(rawValue: try row.text()), symbol: try row.text())
    }
}

/// Some rules of a user, locked for a change by their owner; deleted ones are not found.
struct LockRules: Statement {
    static let sql = """
        SELECT \(RuleColumns.counted) FROM alerts.rule AS rule
        WHERE rule_id = ANY ($1) AND \(OwnerPredicate.sql("user_id = $2")) AND deleted_at IS NULL
        ORDER BY rule_id
        FOR NO KEY UPDATE OF rule
        """

    let ids: [UniqueID]
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(ids)
        parameters.append(user.rawValue)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.readCounted(&row)
    }
}

/// The rules of a user that name a channel.
struct RulesToldBy: Statement {
    static let sql = """
        SELECT rule_id FROM alerts.rule
        WHERE $1 = ANY (channels) AND \(OwnerPredicate.sql("user_id = $2")) AND deleted_at IS NULL
        """

    let channel: String
    let user: UserID

    func bind(_ parameters: inout Parameters) {
        parameters.append(channel)
        parameters.append(user.rawValue)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> UniqueID { try row.uniqueID() }
}

/// The number of a change.
///
/// Everybody else's changes wait until this transaction has ended, so that numbers
/// become visible in their order.
struct NextChange: Statement {
    static let sql = "UPDATE alerts.rule_clock SET change = change + 1 RETURNING change"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

/// The first event in the history of a rule that is there.
///
/// Not part of ``InsertRule``: within one statement the event's policy does not see whose the new rule is.
struct InsertCreation: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
        SELECT rule_id, updated_at, 'created', version, rule FROM alerts.rule
        WHERE rule_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))
        """

    let rule: StoredRule

    func bind(_ parameters: inout Parameters) {
        parameters.append(rule.id)
        parameters.append(rule.user.rawValue)
    }
}

/// A new rule.
struct InsertRule: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO alerts.rule (
            rule_id, user_id, venue, symbol, shard, rule, channels, enabled, change, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6::text::json, $7, $8, $9, $10, $10)
        """

    let rule: StoredRule

    func bind(_ parameters: inout Parameters) {
        parameters.append(rule.id)
        parameters.append(rule.user.rawValue)
        parameters.append(rule.traded?.venue.rawValue)
        parameters.append(rule.traded?.symbol)
        parameters.append(Int16(rule.shard.rawValue))
        parameters.append(rule.rule.json)
        parameters.append(rule.rule.channels)
        parameters.append(rule.isEnabled)
        parameters.append(rule.change)
        parameters.append(timestamp: rule.created.nanoseconds)
    }
}

/// The first event of a new rule's history.
///
/// What an owner's change makes of a rule, with its event; the row was locked before.
struct UpdateRule: Statement {
    typealias Row = Void
    static let sql = """
        WITH changed AS (
            UPDATE alerts.rule SET
                venue = $2, symbol = $3, shard = $4, rule = $5::text::json, channels = $6, enabled = $7,
                version = $8, change = $9, updated_at = $10, deleted_at = $11, state = $12, done_at = $13
            WHERE rule_id = $1
            RETURNING rule_id, updated_at, version, rule
        )
        INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
        SELECT rule_id, updated_at, $14, version, rule FROM changed
        """

    let rule: StoredRule
    let kind: RuleEvent.Kind

    func bind(_ parameters: inout Parameters) {
        parameters.append(rule.id)
        parameters.append(rule.traded?.venue.rawValue)
        parameters.append(rule.traded?.symbol)
        parameters.append(Int16(rule.shard.rawValue))
        parameters.append(rule.rule.json)
        parameters.append(rule.rule.channels)
        parameters.append(rule.isEnabled)
        parameters.append(rule.version)
        parameters.append(rule.change)
        parameters.append(timestamp: rule.updated.nanoseconds)
        parameters.append(timestamp: rule.deleted?.nanoseconds)
        parameters.append(bytes: rule.state)
        parameters.append(timestamp: rule.done?.nanoseconds)
        parameters.append(kind.rawValue)
    }
}
