import Store

/// That rules with U+0000 in a text, of before it was refused, are adopted like others.
///
/// The type `json` keeps such a text, but nothing that looks into the document reads it (22P05): one rule of
/// the terminal's kept everybody from becoming the first operator. What asks for rules does without the
/// function, see `StoredRule.readable`.
enum M0017_ReadableTexts: Migration {
    static let version = 17
    static let name = "readable texts"
    static let sql = """
        CREATE FUNCTION alerts.readable(document json) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE
        SET search_path = pg_catalog, pg_temp AS $$
            SELECT CASE WHEN strpos(document::text, '\\u0000') = 0 THEN document
                ELSE regexp_replace(
                    document::text, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1\\\\ufffd', 'g')::json END
        $$;
        COMMENT ON FUNCTION alerts.readable IS 'The document with U+FFFD in place of U+0000.';
        REVOKE ALL ON FUNCTION alerts.readable FROM PUBLIC;
        -- As before, but for that function.
        CREATE OR REPLACE FUNCTION alerts.adopt(terminal uuid, owner uuid) RETURNS void LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            keys uuid[];
            latest bigint;
            told record;
            called text;
            renamed jsonb := '{}';
        BEGIN
            -- In the order of who evaluates, whose next firings have the new owner then: what is known of
            -- rules, the rules by their keys.
            PERFORM FROM alerts.evaluation ORDER BY shard FOR NO KEY UPDATE;
            SELECT array_agg(found.rule_id) INTO keys FROM (
                SELECT rule.rule_id FROM alerts.rule AS rule
                WHERE rule.user_id = terminal
                    -- What is left of rules that were erased with their owner is nobody's.
                    AND alerts.readable(rule.rule) ->> 'instrument' IS DISTINCT FROM 'erased:ERASED'
                ORDER BY rule.rule_id
                FOR NO KEY UPDATE) AS found;
            FOR told IN
                SELECT channel_id, name FROM alerts.channel WHERE user_id = terminal ORDER BY channel_id
            LOOP
                called := told.name;
                IF EXISTS (SELECT FROM alerts.channel WHERE user_id = owner AND name = called) THEN
                    called := accounts.terminal_name(called, ARRAY(
                        SELECT name FROM alerts.channel WHERE user_id IN (terminal, owner)));
                    renamed := renamed || jsonb_build_object(told.name, called);
                END IF;
                UPDATE alerts.channel SET user_id = owner, name = called WHERE channel_id = told.channel_id;
            END LOOP;
            UPDATE alerts.firing SET user_id = owner WHERE user_id = terminal;
            IF keys IS NULL THEN RETURN; END IF;
            UPDATE alerts.rule_clock SET change = change + 1 RETURNING change INTO latest;
            -- Who evaluates takes a rule for a new one that changed after what it knows: it knows this change
            -- where it knew all before, and where it did not the rules that it knows keep the number of
            -- their last one.
            UPDATE alerts.rule AS rule SET user_id = owner, change = CASE
                WHEN EXISTS (
                    SELECT FROM alerts.evaluation AS known
                    WHERE known.shard = rule.shard
                        AND known.rule_change BETWEEN rule.change AND latest - 2)
                THEN rule.change ELSE latest END
            WHERE rule.rule_id = ANY (keys);
            UPDATE alerts.evaluation SET rule_change = latest WHERE rule_change = latest - 1;
            IF renamed = '{}' THEN RETURN; END IF;
            -- Of a rule's JSON nothing but the names is written anew.
            WITH named AS (
                SELECT own.rule_id, ARRAY(
                    SELECT coalesce(renamed ->> entry.name, entry.name)
                    FROM unnest(own.channels) WITH ORDINALITY AS entry (name, place)
                    ORDER BY entry.place) AS channels
                FROM alerts.rule AS own
                WHERE own.rule_id = ANY (keys) AND own.deleted_at IS NULL
                    AND own.channels && ARRAY(SELECT jsonb_object_keys(renamed))
            ), changed AS (
                UPDATE alerts.rule AS rule SET
                    channels = named.channels, version = rule.version + 1, updated_at = clock_timestamp(),
                    rule = (
                        SELECT ('{' || string_agg(
                            to_json(member.key) || ':' || CASE member.key
                                WHEN 'channels' THEN to_json(named.channels)::text
                                ELSE member.value::text END,
                            ',' ORDER BY member.place) || '}')::json
                        FROM json_each(alerts.readable(rule.rule))
                            WITH ORDINALITY AS member (key, value, place))
                FROM named
                WHERE rule.rule_id = named.rule_id
                RETURNING rule.rule_id, rule.updated_at, rule.version, rule.rule
            )
            INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
            SELECT changed.rule_id, changed.updated_at, 'edited', changed.version, changed.rule
            FROM changed;
        END
        $$;
        """
}
