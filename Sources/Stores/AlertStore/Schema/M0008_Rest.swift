import Store

/// That the rules of an account that was disabled rest, and go on when it is enabled again.
enum M0008_Rest: Migration {
    static let version = 8
    static let name = "rest"
    static let sql = """
        ALTER TABLE alerts.rule ADD COLUMN rested boolean NOT NULL DEFAULT false;
        COMMENT ON COLUMN alerts.rule.rested IS
            'Its owner''s account is disabled: it is not evaluated, whatever its owner wants.';
        ALTER TABLE alerts.rule_event
            DROP CONSTRAINT rule_event_kind_check,
            ADD CONSTRAINT rule_event_kind_check CHECK (
                kind IN ('created', 'edited', 'enabled', 'disabled', 'deleted', 'rested', 'resumed'));

        -- In the order of who changes rules: the rules by their keys, then the number of the change.
        CREATE FUNCTION alerts.rest_rules(owner uuid, rests boolean) RETURNS void LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            keys uuid[];
            number bigint;
        BEGIN
            SELECT array_agg(found.rule_id) INTO keys FROM (
                SELECT rule.rule_id FROM alerts.rule AS rule
                WHERE rule.user_id = owner AND rule.rested <> rests AND rule.deleted_at IS NULL
                    AND (rule.rested OR rule.enabled AND rule.done_at IS NULL)
                ORDER BY rule.rule_id
                FOR NO KEY UPDATE) AS found;
            IF keys IS NULL THEN RETURN; END IF;
            UPDATE alerts.rule_clock SET change = change + 1 RETURNING change INTO number;
            WITH changed AS (
                UPDATE alerts.rule AS rule SET
                    rested = rests, version = rule.version + 1, change = number, state = NULL,
                    updated_at = clock_timestamp()
                WHERE rule.rule_id = ANY (keys)
                RETURNING rule.rule_id, rule.updated_at, rule.version, rule.rule
            )
            INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
            SELECT changed.rule_id, changed.updated_at, CASE WHEN rests THEN 'rested' ELSE 'resumed' END,
                changed.version, changed.rule
            FROM changed;
        END
        $$;
        CREATE FUNCTION alerts.follow_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM alerts.rest_rules(NEW.user_id, NEW.disabled_at IS NOT NULL);
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER rest_rules AFTER UPDATE ON accounts.account FOR EACH ROW
        WHEN ((OLD.disabled_at IS NULL) IS DISTINCT FROM (NEW.disabled_at IS NULL))
        EXECUTE FUNCTION alerts.follow_account();
        REVOKE ALL ON FUNCTION alerts.rest_rules FROM PUBLIC;
        DO $$
        BEGIN
            PERFORM alerts.rest_rules(user_id, true) FROM accounts.account WHERE disabled_at IS NOT NULL;
        END
        $$;

        -- As before, and nothing to who is disabled: it waits until the account is enabled.
        CREATE OR REPLACE FUNCTION alerts.claim(
            claimant text, amount integer, microseconds bigint, excluded uuid[]
        ) RETURNS SETOF alerts.outbox LANGUAGE sql VOLATILE ROWS 100
        SET enable_sort = off SET enable_bitmapscan = off SET enable_hashjoin = off
        SET enable_mergejoin = off SET jit = off
        AS $$
            WITH due AS (
                SELECT outbox.delivery_id
                FROM alerts.outbox AS outbox
                WHERE outbox.state = 'waiting' AND outbox.next_attempt <= statement_timestamp()
                    AND outbox.channel_id <> ALL (excluded)
                    AND outbox.channel_id <> ALL (
                        ARRAY(SELECT channel_id FROM alerts.channel WHERE disabled_at IS NOT NULL))
                    AND outbox.channel_id <> ALL (
                        ARRAY(
                            SELECT channel.channel_id FROM accounts.account AS account
                            JOIN alerts.channel AS channel USING (user_id)
                            WHERE account.disabled_at IS NOT NULL))
                ORDER BY outbox.next_attempt
                LIMIT amount
                FOR UPDATE SKIP LOCKED
            )
            UPDATE alerts.outbox AS outbox SET
                claimed_by = claimant, attempts = outbox.attempts + 1,
                next_attempt = clock_timestamp() + microseconds * interval '1 microsecond'
            FROM due
            WHERE outbox.delivery_id = due.delivery_id
            RETURNING outbox.*
        $$;
        CREATE INDEX account_disabled ON accounts.account (user_id) WHERE disabled_at IS NOT NULL;
        """
}
