import AccountStore
import Alerting
import Instruments
import MarketStore
import Store

extension StatementBatch {
    /// Adds a new rule with the first event of its history.
    mutating func insert(_ rule: StoredRule) {
        append(
            """
            INSERT INTO alerts.rule (
                rule_id, user_id, venue, symbol, shard, rule, channels, enabled, change, created_at,
                updated_at)
            VALUES (\(rule.id), \(rule.user), \(rule.traded?.venue.rawValue), \(rule.traded?.symbol),
                \(Int16(rule.shard.rawValue)), \(rule.rule.json)::text::json, \(rule.rule.channels),
                \(rule.isEnabled), \(rule.change), \(rule.created), \(rule.created))
            """)
        // A statement of its own: within one the event's policy does not see whose the new rule is.
        append(
            """
            INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
            SELECT rule_id, updated_at, 'created', version, rule FROM alerts.rule
            WHERE rule_id = \(rule.id) AND \(owner: "user_id", is: rule.user)
            """)
    }

    /// Adds what an owner's change makes of a rule, with its event; the row was locked before.
    mutating func update(_ rule: StoredRule, _ kind: RuleEvent.Kind) {
        append(
            """
            WITH changed AS (
                UPDATE alerts.rule SET
                    venue = \(rule.traded?.venue.rawValue), symbol = \(rule.traded?.symbol),
                    shard = \(Int16(rule.shard.rawValue)), rule = \(rule.rule.json)::text::json,
                    channels = \(rule.rule.channels), enabled = \(rule.isEnabled),
                    version = \(rule.version), change = \(rule.change), updated_at = \(rule.updated),
                    deleted_at = \(rule.deleted), state = \(rule.state), done_at = \(rule.done)
                WHERE rule_id = \(rule.id)
                RETURNING rule_id, updated_at, version, rule
            )
            INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
            SELECT rule_id, updated_at, \(kind.rawValue), version, rule FROM changed
            """)
    }
}
