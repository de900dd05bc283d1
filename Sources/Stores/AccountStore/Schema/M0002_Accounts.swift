import Store

/// Accounts, and how people and programs prove whose they act for.
///
/// No secret that opens anything is stored: passwords as Argon2id, all others as SHA-256 or sealed.
enum M0002_Accounts: Migration {
    static let version = 2
    static let name = "accounts"
    static let sql = """
        CREATE TABLE accounts.account (
            user_id uuid PRIMARY KEY REFERENCES accounts.app_user ON DELETE CASCADE,
            email text NOT NULL CHECK (octet_length(email) BETWEEN 3 AND 254),
            email_folded text NOT NULL UNIQUE CHECK (octet_length(email_folded) BETWEEN 3 AND 254),
            password_hash text CHECK (password_hash LIKE '$argon2id$%'),
            apple_subject text UNIQUE CHECK (octet_length(apple_subject) BETWEEN 1 AND 255),
            role text NOT NULL CHECK (role IN ('user', 'operator')),
            created_at timestamptz NOT NULL,
            verified_at timestamptz,
            disabled_at timestamptz
        );
        COMMENT ON TABLE accounts.account IS 'Who can sign in.';
        COMMENT ON COLUMN accounts.account.password_hash IS
            'NULL where one signs in with a passkey or with Apple only.';

        CREATE TABLE accounts.session (
            session_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.account ON DELETE CASCADE,
            digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
            created_at timestamptz NOT NULL,
            last_seen_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            client text NOT NULL CHECK (octet_length(client) <= 64),
            agent text NOT NULL CHECK (octet_length(agent) <= 300)
        );
        COMMENT ON COLUMN accounts.session.digest IS 'SHA-256 of what the cookie holds.';
        CREATE INDEX session_of_user ON accounts.session (user_id);
        CREATE INDEX session_expiry ON accounts.session (expires_at);

        CREATE TABLE accounts.token (
            token_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.account ON DELETE CASCADE,
            name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
            digest bytea NOT NULL CHECK (octet_length(digest) = 32),
            scopes text[] NOT NULL CHECK (cardinality(scopes) BETWEEN 1 AND 16),
            created_at timestamptz NOT NULL,
            expires_at timestamptz,
            last_used_at timestamptz,
            revoked_at timestamptz
        );
        COMMENT ON COLUMN accounts.token.digest IS 'SHA-256 of its secret.';
        CREATE INDEX token_user ON accounts.token (user_id);

        CREATE TABLE accounts.passkey (
            passkey_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.account ON DELETE CASCADE,
            credential bytea NOT NULL UNIQUE CHECK (octet_length(credential) BETWEEN 1 AND 1023),
            public_key bytea NOT NULL CHECK (octet_length(public_key) <= 1024),
            counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
            name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
            created_at timestamptz NOT NULL,
            last_used_at timestamptz
        );
        CREATE INDEX passkey_user ON accounts.passkey (user_id);

        CREATE TABLE accounts.totp (
            user_id uuid PRIMARY KEY REFERENCES accounts.account ON DELETE CASCADE,
            sealed bytea NOT NULL CHECK (octet_length(sealed) <= 256),
            created_at timestamptz NOT NULL,
            confirmed_at timestamptz,
            last_step bigint
        );
        COMMENT ON COLUMN accounts.totp.sealed IS 'The shared secret, sealed with a key that is not here.';
        COMMENT ON COLUMN accounts.totp.last_step IS 'The newest step whose code was accepted.';

        CREATE TABLE accounts.recovery_code (
            user_id uuid NOT NULL REFERENCES accounts.account ON DELETE CASCADE,
            digest bytea NOT NULL CHECK (octet_length(digest) = 32),
            used_at timestamptz,
            PRIMARY KEY (user_id, digest)
        );

        CREATE TABLE accounts.ticket (
            ticket_id uuid PRIMARY KEY,
            kind text NOT NULL CHECK (kind IN (
                'first_operator', 'invitation', 'verification', 'reset', 'passkey_registration',
                'passkey_sign_in')),
            digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
            user_id uuid REFERENCES accounts.account ON DELETE CASCADE,
            email text CHECK (octet_length(email) <= 254),
            created_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            used_at timestamptz
        );
        COMMENT ON TABLE accounts.ticket IS 'Secrets that are good once, as SHA-256.';
        CREATE INDEX ticket_user ON accounts.ticket (user_id);
        CREATE INDEX ticket_expiry ON accounts.ticket (expires_at);

        CREATE TABLE accounts.login_failure (
            subject bytea PRIMARY KEY CHECK (octet_length(subject) = 32),
            failures integer NOT NULL CHECK (failures >= 0),
            last_at timestamptz NOT NULL
        );
        COMMENT ON COLUMN accounts.login_failure.subject IS
            'SHA-256 of the folded address, whether an account has it or not.';
        CREATE INDEX login_failure_time ON accounts.login_failure (last_at);

        CREATE TABLE accounts.setting (
            user_id uuid PRIMARY KEY REFERENCES accounts.account ON DELETE CASCADE,
            locale text NOT NULL CHECK (octet_length(locale) <= 35),
            time_zone text NOT NULL CHECK (octet_length(time_zone) <= 64),
            base_currency text NOT NULL CHECK (octet_length(base_currency) = 3),
            theme text NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
            alerts boolean NOT NULL,
            sounds boolean NOT NULL,
            badges boolean NOT NULL,
            quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
            quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
            onboarding text[] NOT NULL CHECK (cardinality(onboarding) <= 32),
            CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
        );

        CREATE TABLE accounts.flag (
            name text PRIMARY KEY CHECK (octet_length(name) BETWEEN 1 AND 64),
            note text NOT NULL CHECK (octet_length(note) <= 500),
            percentage smallint NOT NULL CHECK (percentage BETWEEN 0 AND 100)
        );
        CREATE TABLE accounts.flag_user (
            name text NOT NULL REFERENCES accounts.flag ON DELETE CASCADE,
            user_id uuid NOT NULL REFERENCES accounts.account ON DELETE CASCADE,
            is_on boolean NOT NULL,
            PRIMARY KEY (name, user_id)
        );

        CREATE TABLE accounts.letter (
            letter_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.account ON DELETE CASCADE,
            kind text NOT NULL CHECK (kind IN ('verification', 'reset')),
            sealed bytea CHECK (octet_length(sealed) <= 512),
            created_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            attempts integer NOT NULL DEFAULT 0,
            due_at timestamptz NOT NULL,
            problem text CHECK (octet_length(problem) <= 500),
            CHECK ((sealed IS NULL) = (due_at = 'infinity'))
        );
        COMMENT ON TABLE accounts.letter IS
            'What the gateway sends by e-mail; the secret of its link is sealed, and gone once it was sent.';
        CREATE INDEX letter_due ON accounts.letter (due_at) WHERE sealed IS NOT NULL;

        CREATE FUNCTION accounts.notify_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('account_revocation', TG_ARGV[0] || ' ' ||
                CASE TG_ARGV[0]
                    WHEN 'user' THEN to_jsonb(OLD) ->> 'user_id'
                    WHEN 'session' THEN to_jsonb(OLD) ->> 'session_id'
                    ELSE to_jsonb(OLD) ->> 'token_id'
                END);
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER notify_end AFTER DELETE ON accounts.account
        FOR EACH ROW EXECUTE FUNCTION accounts.notify_revocation('user');
        CREATE TRIGGER notify_change AFTER UPDATE ON accounts.account FOR EACH ROW
        WHEN ((OLD.disabled_at, OLD.role) IS DISTINCT FROM (NEW.disabled_at, NEW.role))
        EXECUTE FUNCTION accounts.notify_revocation('user');
        CREATE TRIGGER notify_end AFTER DELETE ON accounts.session
        FOR EACH ROW EXECUTE FUNCTION accounts.notify_revocation('session');
        CREATE TRIGGER notify_change AFTER UPDATE ON accounts.token FOR EACH ROW
        WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at)
        EXECUTE FUNCTION accounts.notify_revocation('token');
        """
}
