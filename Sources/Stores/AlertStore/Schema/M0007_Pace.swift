import Store

/// How much was told lately, counted once for all who tell.
enum M0007_Pace: Migration {
    static let version = 7
    static let name = "pace"
    static let sql = """
        CREATE TABLE alerts.user_pace (
            user_id uuid PRIMARY KEY REFERENCES accounts.app_user ON DELETE CASCADE,
            hour_start bigint NOT NULL DEFAULT 0,
            told_in_hour integer NOT NULL DEFAULT 0 CHECK (told_in_hour >= 0),
            quieted_until bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50);
        COMMENT ON TABLE alerts.user_pace IS
            'What a user was told by all channels; its row is locked by whoever decides what is told next.';
        COMMENT ON COLUMN alerts.user_pace.hour_start IS
            'Nanoseconds since 1970: the first that was told after the hour before.';
        COMMENT ON COLUMN alerts.user_pace.told_in_hour IS 'Messages about firings since then.';
        COMMENT ON COLUMN alerts.user_pace.quieted_until IS
            'Nanoseconds since 1970: until then the user knows that more is not told.';
        CREATE TABLE alerts.channel_pace (
            channel_id uuid PRIMARY KEY REFERENCES alerts.channel ON DELETE CASCADE,
            minute_start bigint NOT NULL,
            told_in_minute integer NOT NULL CHECK (told_in_minute >= 0),
            has_digest boolean NOT NULL,
            hour_start bigint NOT NULL,
            told_in_hour integer NOT NULL CHECK (told_in_hour >= 0)
        ) WITH (fillfactor = 50);
        COMMENT ON TABLE alerts.channel_pace IS
            'What was told by a channel; whoever reads or writes it has locked its user''s row of user_pace.';
        ALTER TABLE alerts.outbox ADD COLUMN counted boolean NOT NULL DEFAULT false;
        COMMENT ON COLUMN alerts.outbox.counted IS
            'It has its place within the hour: whoever claims it again does not count it again.';
        COMMENT ON COLUMN alerts.channel_pace.has_digest IS 'A digest of this minute is counted.';
        \(GatewayRole.policies("alerts.user_pace", "user_id = \(GatewayRole.actor)"))
        \(GatewayRole.policies(
            "alerts.channel_pace",
            """
            channel_id IN (
                SELECT own.channel_id FROM alerts.channel AS own WHERE own.user_id = \(GatewayRole.actor))
            """))
        """
}
