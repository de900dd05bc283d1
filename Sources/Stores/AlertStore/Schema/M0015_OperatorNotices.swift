import Store

/// That operators are told of one trouble of the installation once in a while, and not by each who sees it.
enum M0015_OperatorNotices: Migration {
    static let version = 15
    static let name = "operator notices"
    static let sql = """
        CREATE TABLE alerts.operator_notice (
            kind text PRIMARY KEY CHECK (octet_length(kind) BETWEEN 1 AND 32),
            said_at timestamptz NOT NULL
        );
        COMMENT ON TABLE alerts.operator_notice IS
            'When operators were told something of the installation last, whoever told it.';
        """
}
