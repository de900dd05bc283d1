import Store

/// What one instance at a time does now and then, and the categories that it asks for.
enum M0009_Tasks: Migration {
    static let version = 9
    static let name = "tasks and categories"
    static let sql = """
        CREATE TABLE market.task (
            name text PRIMARY KEY CHECK (name <> ''),
            owner text CHECK (owner <> ''),
            -- Rises with every taking and never falls; a write names it, and an old one is refused.
            epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0),
            expires_at timestamptz NOT NULL DEFAULT '-infinity',
            due_at timestamptz NOT NULL DEFAULT '-infinity',
            done_at timestamptz,
            failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
            source text NOT NULL DEFAULT '',
            detail text NOT NULL DEFAULT ''
        );
        COMMENT ON TABLE market.task IS
            'Work of one instance at a time: its lease until expires_at, when it is due, what came of it.';
        COMMENT ON COLUMN market.task.failures IS 'In a row; 0 after a success.';

        CREATE TABLE market.category (
            id text PRIMARY KEY CHECK (id <> ''),
            name text NOT NULL CHECK (name <> ''),
            listed_at timestamptz NOT NULL,
            asked_at timestamptz
        );
        COMMENT ON TABLE market.category IS 'Categories of a provider of metadata, by its own keys.';
        COMMENT ON COLUMN market.category.asked_at IS
            'When its coins were last asked for; NULL before the first time.';
        """
}
