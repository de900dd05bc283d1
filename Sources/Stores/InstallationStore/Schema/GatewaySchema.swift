package import Store

/// The schema `gateway`: answers under idempotency keys.
package enum GatewaySchema {
    /// Brings the schema to this program's version; after `accounts`.
    package static let migrator = Migrator(
        schema: "gateway", migrations: [M0001_Answers.self, M0002_OwnAnswers.self])
}

/// Answers that are given again to the same request.
enum M0001_Answers: Migration {
    static let version = 1
    static let name = "answers"
    static let sql = """
        CREATE TABLE gateway.answer (
            user_id uuid NOT NULL REFERENCES accounts.app_user ON DELETE CASCADE,
            key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
            request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
            started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            answer bytea CHECK (octet_length(answer) <= 1100000),
            PRIMARY KEY (user_id, key_hash)
        );
        CREATE INDEX answer_started_at ON gateway.answer (started_at);
        COMMENT ON TABLE gateway.answer IS
            'What a request with an Idempotency-Key was answered; a day long.';
        COMMENT ON COLUMN gateway.answer.answer IS
            'Sealed with a key that only who has the idempotency key can make; NULL while the first runs.';
        """
}

/// That an answer is kept by the transaction that does what it tells, which sees one user's rows only.
enum M0002_OwnAnswers: Migration {
    static let version = 2
    static let name = "own answers"
    static let sql = """
        \(GatewayRole.creation)
        GRANT USAGE ON SCHEMA gateway TO bitpal_gateway;
        GRANT SELECT, INSERT, UPDATE ON gateway.answer TO bitpal_gateway;
        -- Free by the rule of before: from now on no key is without an answer.
        DELETE FROM gateway.answer
        WHERE answer IS NULL AND started_at < clock_timestamp() - interval '1 minute';
        \(GatewayRole.policies("gateway.answer", "user_id = \(GatewayRole.actor)"))
        COMMENT ON COLUMN gateway.answer.answer IS
            'Sealed with a key that only who has the idempotency key can make; NULL of a sign-up, which is '
            'answered anew.';
        """
}
