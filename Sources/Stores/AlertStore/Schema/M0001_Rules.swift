import Store

/// What people want to be told of, and how it changed.
enum M0001_Rules: Migration {
    static let version = 1
    static let name = "rules"
    static let sql = """
        CREATE TABLE alerts.rule_clock (
            singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
            change bigint NOT NULL DEFAULT 0
        );
        INSERT INTO alerts.rule_clock DEFAULT VALUES;
        COMMENT ON TABLE alerts.rule_clock IS
            'Number of the last change. Its row stays locked until a change is committed, so a number that '
            'can be seen has none below it that is still to come.';

        CREATE TABLE alerts.rule (
            rule_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.app_user,
            venue text,
            symbol text,
            shard smallint NOT NULL CHECK (shard BETWEEN 0 AND 255),
            -- The form of import and export, byte for byte.
            rule json NOT NULL CHECK (octet_length(rule::text) <= 65536),
            channels text[] NOT NULL,
            enabled boolean NOT NULL,
            version bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
            change bigint NOT NULL,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            deleted_at timestamptz,
            -- What the evaluator knows: how often the rule fired, which never falls, and its state since the
            -- version in force; NULL for nothing yet.
            epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0),
            state bytea CHECK (octet_length(state) <= 65536),
            done_at timestamptz,
            CHECK ((venue IS NULL) = (symbol IS NULL)),
            CHECK (deleted_at IS NULL OR NOT enabled),
            FOREIGN KEY (venue, symbol) REFERENCES market.instrument (venue, symbol)
            -- Written at each firing: room in the page lets it replace its row without an index entry.
        ) WITH (fillfactor = 80);
        COMMENT ON COLUMN alerts.rule.version IS 'Of this rule: rises with each change by its owner.';
        COMMENT ON COLUMN alerts.rule.change IS 'Number in alerts.rule_clock of the last change.';
        COMMENT ON COLUMN alerts.rule.done_at IS 'When a rule that fires once fired, or a rule expired.';
        CREATE INDEX rule_of_user ON alerts.rule (user_id, rule_id) WHERE deleted_at IS NULL;
        CREATE INDEX rule_change ON alerts.rule (change, rule_id);
        CREATE INDEX rule_shard ON alerts.rule (shard) WHERE enabled;

        CREATE TABLE alerts.rule_event (
            event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            rule_id uuid NOT NULL REFERENCES alerts.rule,
            at timestamptz NOT NULL,
            kind text NOT NULL CHECK (kind IN ('created', 'edited', 'enabled', 'disabled', 'deleted')),
            version bigint NOT NULL,
            rule json NOT NULL
        );
        COMMENT ON TABLE alerts.rule_event IS 'What owners did to their rules, with the rule from then on.';
        CREATE UNIQUE INDEX rule_event_version ON alerts.rule_event (rule_id, version);

        CREATE FUNCTION alerts.notify_rule() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('alerts_rule', '');
            RETURN NULL;
        END
        $$;
        -- Not for the evaluator's own columns, so that no firing takes the lock of a notification.
        CREATE TRIGGER notify AFTER INSERT OR UPDATE OF change ON alerts.rule
        FOR EACH STATEMENT EXECUTE FUNCTION alerts.notify_rule();
        """
}
