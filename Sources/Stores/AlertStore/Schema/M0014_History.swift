import Store

/// That what rules did is forgotten after a while, and how often they did it is not.
///
/// Rows go in small batches and not with partitions: that a firing has one number of its rule and a delivery
/// one key are unique over all of their time, and bounds on how often a rule fires keep the tables small.
enum M0014_History: Migration {
    static let version = 14
    static let name = "history"
    static let sql = """
        ALTER TABLE alerts.rule ADD COLUMN firings_removed bigint NOT NULL DEFAULT 0
            CHECK (firings_removed >= 0);
        COMMENT ON COLUMN alerts.rule.firings_removed IS
            'Rows of alerts.firing with kind fired that are kept no more: those that are come on top.';
        CREATE INDEX outbox_age ON alerts.outbox (created_at) WHERE state <> 'waiting';
        CREATE INDEX firing_age ON alerts.firing (fired_at);
        CREATE INDEX rule_event_age ON alerts.rule_event (at);

        CREATE TABLE alerts.retention (
            kind text PRIMARY KEY CHECK (kind IN ('delivery', 'firing', 'rule_event')),
            keep_seconds bigint CHECK (keep_seconds > 0),
            removed bigint NOT NULL DEFAULT 0 CHECK (removed >= 0),
            swept_at timestamptz NOT NULL
        );
        COMMENT ON TABLE alerts.retention IS
            'The settings of the last sweep, for people, and how many rows were removed in all.';
        """
}
