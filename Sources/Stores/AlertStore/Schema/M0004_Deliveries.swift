import Store

/// What the notifier needs: letters that no rule fired, digests, and what is held back.
enum M0004_Deliveries: Migration {
    static let version = 4
    static let name = "deliveries"
    static let sql = """
        ALTER TABLE alerts.outbox DROP CONSTRAINT outbox_pkey;
        ALTER TABLE alerts.outbox
            ADD COLUMN delivery_id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
            ALTER COLUMN rule_id DROP NOT NULL,
            ALTER COLUMN epoch DROP NOT NULL,
            ADD COLUMN notice json CHECK (octet_length(notice::text) <= 65536),
            ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
            ADD COLUMN held boolean NOT NULL DEFAULT false,
            ADD COLUMN digest_id uuid REFERENCES alerts.outbox,
            ADD COLUMN created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            DROP CONSTRAINT outbox_state_check,
            ADD CONSTRAINT outbox_state_check
                CHECK (state IN ('waiting', 'delivered', 'dead', 'gathered')),
            ADD CONSTRAINT outbox_subject_check
                CHECK ((epoch IS NULL) = (rule_id IS NULL) AND (epoch IS NULL) = (notice IS NOT NULL)),
            ADD CONSTRAINT outbox_digest_check CHECK ((state = 'gathered') = (digest_id IS NOT NULL));
        COMMENT ON COLUMN alerts.outbox.delivery_id IS 
            'What a receiver knows it by, the same at every attempt.';
        COMMENT ON COLUMN alerts.outbox.notice IS 
            'What is told when it is no firing: an object with its kind.';
        COMMENT ON COLUMN alerts.outbox.failures IS 
            'Attempts that were made and failed; claims that were only lost do not count.';
        COMMENT ON COLUMN alerts.outbox.held IS 
            'Held back by quiet hours or a limit: to be told in a digest.';
        COMMENT ON COLUMN alerts.outbox.digest_id IS 'The notice that tells it together with others.';
        ALTER TABLE alerts.channel
            ADD COLUMN locale text NOT NULL DEFAULT 'en' CHECK (octet_length(locale) BETWEEN 2 AND 35),
            ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC' CHECK (octet_length(time_zone) <= 64),
            ADD COLUMN per_minute integer NOT NULL DEFAULT 10 CHECK (per_minute BETWEEN 1 AND 1000000),
            ADD COLUMN per_hour integer NOT NULL DEFAULT 120 CHECK (per_hour BETWEEN 1 AND 1000000),
            ADD COLUMN code text CHECK (octet_length(code) BETWEEN 6 AND 64),
            ADD COLUMN quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
            ADD COLUMN quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
            ADD CONSTRAINT channel_quiet_check CHECK ((quiet_from IS NULL) = (quiet_to IS NULL));
        COMMENT ON COLUMN alerts.channel.code IS
            'What its owner was sent there, and has to say so that it counts as verified.';
        COMMENT ON COLUMN alerts.channel.per_minute IS 'More firings than this are told in one digest.';
        COMMENT ON COLUMN alerts.channel.per_hour IS 
            'After so many the channel is quiet until the hour is over.';
        COMMENT ON COLUMN alerts.channel.quiet_from IS 
            'Minutes after midnight in its zone: the first that is quiet.';
        COMMENT ON COLUMN alerts.channel.quiet_to IS 'The first minute that is no longer.';
        CREATE UNIQUE INDEX outbox_firing ON alerts.outbox (rule_id, epoch, channel_id);
        CREATE INDEX outbox_channel ON alerts.outbox (channel_id, created_at);
        CREATE INDEX outbox_digest ON alerts.outbox (digest_id) WHERE digest_id IS NOT NULL;
        """
}
