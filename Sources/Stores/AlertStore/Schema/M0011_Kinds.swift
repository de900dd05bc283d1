import Store

/// The kinds of channel are the program's: it reads none that it does not know.
enum M0011_Kinds: Migration {
    static let version = 11
    static let name = "kinds"
    static let sql = """
        ALTER TABLE alerts.channel DROP CONSTRAINT channel_kind_check;
        ALTER TABLE alerts.channel ADD CONSTRAINT channel_kind_check CHECK (kind ~ '^[a-z_]{1,32}$');
        """
}
