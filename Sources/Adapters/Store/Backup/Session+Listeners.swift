extension Session {
    /// Closes the connections of this database on which programs listen for changes, so that each of them
    /// connects again and reads what is there now.
    ///
    /// A superuser sees and ends all of them. Who is none does so with those of its own role alone, and with
    /// a service's by taking its role on: no more than the owner of everything may anyhow, where
    /// `pg_signal_backend` would be the right to end everybody on the server.
    func endListening() throws(StoreError) {
        try script(Self.endingListeners)
        let services = ServiceRole.allCases.map(\.name)
        let roles = try rows(
            """
            SELECT rolname::text FROM pg_catalog.pg_roles
            WHERE rolname = ANY (\(services)) AND pg_has_role(oid, 'MEMBER') ORDER BY rolname
            """
        ) { row in try row.text() }
        // Each is one transaction: whatever fails, the role is left with it.
        for role in roles { try script("SET LOCAL ROLE \(role); \(Self.endingListeners)") }
    }

    private static let endingListeners = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
            AND query LIKE 'LISTEN %' AND pg_has_role(usename, 'MEMBER')
        """
}
