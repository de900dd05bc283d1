import Store

/// The audit log: who did what to whom and when.
///
/// No column refers to an account, so that an entry outlives it: an erasure puts a key in the place of the
/// person's that is nobody's, and takes the address away.
enum M0010_Audit: Migration {
    static let version = 10
    static let name = "audit"
    static let sql = """
        CREATE TABLE accounts.audit (
            audit_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
            happened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            actor_kind text NOT NULL CHECK (actor_kind IN ('account', 'terminal', 'service')),
            actor_id uuid,
            actor_token_id uuid,
            address text CHECK (octet_length(address) BETWEEN 1 AND 64),
            command text NOT NULL CHECK (octet_length(command) BETWEEN 1 AND 120),
            action text NOT NULL CHECK (action ~ '^[a-z_]{1,32}[.][a-z_]{1,31}$'),
            subject_kind text NOT NULL CHECK (subject_kind ~ '^[a-z_]{1,32}$'),
            subject_id uuid,
            owner_id uuid,
            detail jsonb NOT NULL CHECK (
                jsonb_typeof(detail) = 'object' AND octet_length(detail::text) <= 2000),
            CHECK ((actor_kind = 'account') = (actor_id IS NOT NULL))
        );
        COMMENT ON TABLE accounts.audit IS
            'Who changed accounts, tokens, secrets and the installation; only added to, kept for 2 years.';
        COMMENT ON COLUMN accounts.audit.owner_id IS 'Whose account it is about, where it is about one.';
        COMMENT ON COLUMN accounts.audit.detail IS
            'What changed: words, numbers and times; no secret, and no text that a person wrote.';
        CREATE INDEX audit_time ON accounts.audit (happened_at, audit_id);
        CREATE INDEX audit_actor ON accounts.audit (actor_id, happened_at) WHERE actor_id IS NOT NULL;
        CREATE INDEX audit_owner ON accounts.audit (owner_id, happened_at) WHERE owner_id IS NOT NULL;

        CREATE FUNCTION accounts.keep_audit() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            -- One look after the other: a truncation has no rows, and a deletion no new one.
            IF TG_OP = 'DELETE' THEN
                IF OLD.happened_at < clock_timestamp() - interval '2 years' THEN RETURN OLD; END IF;
            ELSIF TG_OP = 'UPDATE' THEN
                -- An erasure takes out who it was, and nothing of what was done.
                IF EXISTS (
                    SELECT FROM accounts.erasure
                    WHERE user_id IN (OLD.actor_id, OLD.subject_id, OLD.owner_id)
                ) AND (
                    NEW.audit_id, NEW.happened_at, NEW.actor_kind, NEW.command, NEW.action,
                    NEW.subject_kind, NEW.detail,
                    NEW.actor_id IS NULL, NEW.subject_id IS NULL, NEW.owner_id IS NULL
                ) IS NOT DISTINCT FROM (
                    OLD.audit_id, OLD.happened_at, OLD.actor_kind, OLD.command, OLD.action,
                    OLD.subject_kind, OLD.detail,
                    OLD.actor_id IS NULL, OLD.subject_id IS NULL, OLD.owner_id IS NULL
                ) THEN RETURN NEW; END IF;
            END IF;
            RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = '23001';
        END
        $$;
        CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON accounts.audit
        FOR EACH ROW EXECUTE FUNCTION accounts.keep_audit();
        CREATE TRIGGER keep_all BEFORE TRUNCATE ON accounts.audit
        FOR EACH STATEMENT EXECUTE FUNCTION accounts.keep_audit();

        \(GatewayRole.policies(
            "accounts.audit", "actor_id = \(GatewayRole.actor) OR owner_id = \(GatewayRole.actor)"))
        GRANT INSERT ON accounts.audit TO bitpal_gateway;
        """
}
