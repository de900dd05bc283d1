import Store

/// That a rule fired too often within an hour, and how many of its firings were left out then.
// tidy: migration-contraction The check is replaced by a wider one.
enum M0013_Quiet: Migration {
    static let version = 13
    static let name = "quiet"
    static let sql = """
        ALTER TABLE alerts.firing
            DROP CONSTRAINT firing_kind_check,
            ADD CONSTRAINT firing_kind_check CHECK (
                kind IN ('fired', 'blind', 'sees_again', 'tested', 'quieted', 'quiet_ended'));
        COMMENT ON COLUMN alerts.firing.kind IS
            'fired: the condition came true. blind, sees_again: the data that it needs cannot be believed '
            'any more, or again. tested: its owner wanted to see a notification. quieted, quiet_ended: more '
            'firings are left out since there were too many within an hour, or all are told again.';
        """
}
