extension Database {
    /// What a service's role lacks of its rights in this database, as `SELECT on alerts.outbox`; nothing for
    /// who owns everything.
    ///
    /// What is not there at all is not missed: migrations make it.
    package func missingRights(of role: ServiceRole) async throws(StoreError) -> [String] {
        let rights = AccessList.rights(of: role, in: "").sorted()
        return try await rows(
            """
            SELECT privilege || CASE part WHEN '' THEN '' ELSE ' (' || part || ')' END || ' on ' || name
            FROM unnest(\(rights.map(\.kind.rawValue))::text[], \(rights.map(\.name))::text[],
                    \(rights.map(\.privilege))::text[], \(rights.map(\.column))::text[])
                WITH ORDINALITY AS wanted (kind, name, privilege, part, place)
            WHERE NOT CASE kind
                WHEN 'DATABASE' THEN has_database_privilege(current_database(), privilege)
                WHEN 'SCHEMA' THEN has_schema_privilege((
                    SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = name), privilege)
                WHEN 'FUNCTION' THEN has_function_privilege(to_regprocedure(name)::oid, privilege)
                WHEN 'SEQUENCE' THEN has_sequence_privilege(to_regclass(name)::oid, privilege)
                ELSE CASE part WHEN '' THEN has_table_privilege(to_regclass(name)::oid, privilege)
                    ELSE has_column_privilege(to_regclass(name)::oid, part, privilege) END
                END
            ORDER BY place
            """
        ) { try $0.text() }
    }
}
