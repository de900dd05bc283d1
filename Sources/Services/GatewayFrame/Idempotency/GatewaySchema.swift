package import Store

/// The schema `gateway`: answers under idempotency keys.
package enum GatewaySchema {
    /// Brings the schema to this program's version; after `accounts`.
    package static let migrator = Migrator(schema: "gateway", migrations: [M0001_Answers.self])
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
