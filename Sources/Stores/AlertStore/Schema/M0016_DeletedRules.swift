import Store

/// That rules which were deleted are forgotten after a while.
// tidy: migration-contraction The check is replaced by a wider one.
enum M0016_DeletedRules: Migration {
    static let version = 16
    static let name = "deleted rules"
    static let sql = """
        ALTER TABLE alerts.retention
            DROP CONSTRAINT retention_kind_check,
            ADD CONSTRAINT retention_kind_check CHECK (
                kind IN ('delivery', 'firing', 'rule_event', 'rule'));
        CREATE INDEX rule_deleted ON alerts.rule (deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE INDEX rule_deleted_of_user ON alerts.rule (user_id) WHERE deleted_at IS NOT NULL;
        """
}
