import Store

/// Keys that sign are sealed, as all secrets are that have to be read again.
enum M0009_SealedKeys: Migration {
    static let version = 9
    static let name = "sealed keys"
    static let sql = """
        ALTER TABLE alerts.signing_key DROP CONSTRAINT signing_key_secret_check;
        ALTER TABLE alerts.signing_key ADD CHECK (octet_length(secret) BETWEEN 32 AND 512);
        COMMENT ON COLUMN alerts.signing_key.secret IS
            'Sealed with a key that is not here; 32 bytes of one that no notifier with a key file has seen.';
        COMMENT ON COLUMN alerts.channel.secrets IS
            'Keys, tokens and passwords, sealed with a key that is not here: never shown or logged.';
        """
}
