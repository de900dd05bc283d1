import Store

/// What fired, and to whom it is to be told.
enum M0002_Firings: Migration {
    static let version = 2
    static let name = "firings"
    static let sql = """
        CREATE TABLE alerts.channel (
            channel_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.app_user,
            name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
            kind text NOT NULL CHECK (kind IN (
                'webhook', 'email', 'telegram', 'ntfy', 'slack', 'discord', 'apns', 'web_push', 'command')),
            settings json NOT NULL,
            secrets json NOT NULL,
            created_at timestamptz NOT NULL,
            verified_at timestamptz,
            disabled_at timestamptz,
            UNIQUE (user_id, name)
        );
        COMMENT ON COLUMN alerts.channel.secrets IS 'Keys, tokens and passwords: never shown or logged.';
        COMMENT ON COLUMN alerts.channel.verified_at IS 'Nothing is sent before.';

        CREATE TABLE alerts.firing (
            rule_id uuid NOT NULL REFERENCES alerts.rule,
            epoch bigint NOT NULL CHECK (epoch >= 1),
            user_id uuid NOT NULL REFERENCES accounts.app_user,
            rule_version bigint NOT NULL,
            venue text,
            symbol text,
            reason text NOT NULL,
            price numeric,
            previous numeric,
            level numeric,
            trade_id text,
            -- Nanoseconds since 1970-01-01 UTC, as everywhere beside the market's data.
            venue_time bigint NOT NULL,
            received_time bigint NOT NULL,
            sequence bigint NOT NULL,
            late_by bigint NOT NULL CHECK (late_by >= 0),
            fired_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            PRIMARY KEY (rule_id, epoch)
        );
        COMMENT ON TABLE alerts.firing IS 'Each firing of a rule, once: epoch counts them from 1.';
        CREATE INDEX firing_of_user ON alerts.firing (user_id, fired_at);

        CREATE TABLE alerts.outbox (
            rule_id uuid NOT NULL,
            epoch bigint NOT NULL,
            channel_id uuid NOT NULL REFERENCES alerts.channel,
            state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
            -- While somebody has it: when the claim is over.
            next_attempt timestamptz NOT NULL DEFAULT clock_timestamp(),
            attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            claimed_by text CHECK (claimed_by <> ''),
            last_error text,
            ended_at timestamptz,
            PRIMARY KEY (rule_id, epoch, channel_id),
            FOREIGN KEY (rule_id, epoch) REFERENCES alerts.firing,
            CHECK ((state = 'waiting') = (ended_at IS NULL)),
            CHECK (state = 'waiting' OR claimed_by IS NULL)
        ) WITH (fillfactor = 70);
        COMMENT ON TABLE alerts.outbox IS 'A row per firing and channel; dead is a dead letter.';
        COMMENT ON COLUMN alerts.outbox.attempts IS 'Rises with each claim, and names it.';
        CREATE INDEX outbox_due ON alerts.outbox (next_attempt) WHERE state = 'waiting';
        """
}
