import Store

/// Where evaluators stand, and what they tell besides firings.
enum M0003_Evaluation: Migration {
    static let version = 3
    static let name = "evaluation"
    static let sql = """
        CREATE TABLE alerts.evaluation (
            shard smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 255),
            number bigint NOT NULL CHECK (number >= 1),
            rule_change bigint NOT NULL,
            state bytea NOT NULL CHECK (octet_length(state) <= 268435456),
            updated_at timestamptz NOT NULL
        );
        COMMENT ON TABLE alerts.evaluation IS
            'What the evaluator of a shard knew when it last committed. It changes in the transaction that '
            'stores what fired, so what was evaluated and what was told never differ.';
        COMMENT ON COLUMN alerts.evaluation.number IS 'Rises by one with each commit, and names it.';
        COMMENT ON COLUMN alerts.evaluation.rule_change IS
            'The last number of alerts.rule_clock that the state takes into account.';

        ALTER TABLE alerts.firing ADD COLUMN kind text NOT NULL DEFAULT 'fired'
            CHECK (kind IN ('fired', 'blind', 'sees_again', 'tested'));
        COMMENT ON COLUMN alerts.firing.kind IS
            'fired: the condition came true. blind, sees_again: the data that it needs cannot be believed '
            'any more, or again. tested: its owner wanted to see a notification.';
        """
}
