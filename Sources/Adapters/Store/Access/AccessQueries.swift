/// What ``AccessState`` asks the catalogue.
struct AccessQueries {
    /// The schemas as an array of SQL: names of lower-case letters.
    private let schemas: String

    init(schemas: [String]) { self.schemas = Self.list(schemas) }

    private static func list(_ names: [String]) -> String {
        "ARRAY[\(names.map { "'\($0)'" }.joined(separator: ", "))]::text[]"
    }

    private static let ours = list([ServiceRole.owner] + ServiceRole.signingIn.map(\.role))
    private static let granted = list(ServiceRole.signingIn.map(\.role))

    static let server = """
        SELECT quote_ident(current_database()),
            (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user),
            EXISTS (
                SELECT FROM pg_catalog.pg_db_role_setting AS kept
                WHERE kept.setdatabase = 0 AND 'role=\(ServiceRole.owner)' = ANY (kept.setconfig)
                    AND pg_get_userbyid(kept.setrole) = '\(ServiceRole.migrate)'),
            EXISTS (
                SELECT FROM pg_catalog.pg_default_acl AS kept
                WHERE pg_get_userbyid(kept.defaclrole) = '\(ServiceRole.owner)'
                    AND kept.defaclnamespace = 0 AND kept.defaclobjtype = 'f')
        """

    static let roles = """
        SELECT rolname::text, rolcanlogin, rolinherit,
            rolsuper OR rolcreaterole OR rolreplication OR rolbypassrls, rolcreatedb
        FROM pg_catalog.pg_roles WHERE rolname = ANY (\(ours))
        """

    static let memberships = """
        SELECT pg_get_userbyid(member)::text, pg_get_userbyid(roleid)::text
        FROM pg_catalog.pg_auth_members WHERE pg_get_userbyid(member) = ANY (\(ours))
        """

    /// What everybody and whoever signs in for us may; everybody's use of `public` is not ours to end.
    var rights: String {
        """
        WITH space AS (
            SELECT oid, nspname, nspacl FROM pg_catalog.pg_namespace WHERE nspname = ANY (\(schemas))
        ), relation AS (
            SELECT class.oid, class.relacl, format('%I.%I', space.nspname, class.relname) AS name,
                CASE class.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
            FROM pg_catalog.pg_class AS class JOIN space ON space.oid = class.relnamespace
            WHERE class.relkind IN ('r', 'p', 'v', 'm', 'S')
        ), given (kind, name, privilege, part, grantee) AS (
            SELECT relation.kind, relation.name, acl.privilege_type, '', acl.grantee
            FROM relation CROSS JOIN LATERAL aclexplode(relation.relacl) AS acl
            UNION ALL
            SELECT relation.kind, relation.name, acl.privilege_type, part.attname::text, acl.grantee
            FROM relation JOIN pg_catalog.pg_attribute AS part ON part.attrelid = relation.oid
            CROSS JOIN LATERAL aclexplode(part.attacl) AS acl WHERE NOT part.attisdropped
            UNION ALL
            SELECT 'SCHEMA', quote_ident(space.nspname), acl.privilege_type, '', acl.grantee
            FROM space CROSS JOIN LATERAL aclexplode(space.nspacl) AS acl
            UNION ALL
            SELECT 'SCHEMA', 'public', acl.privilege_type, '', acl.grantee
            FROM pg_catalog.pg_namespace AS open CROSS JOIN LATERAL aclexplode(open.nspacl) AS acl
            WHERE open.nspname = 'public' AND acl.privilege_type = 'CREATE'
            UNION ALL
            SELECT 'FUNCTION', called.oid::regprocedure::text, acl.privilege_type, '', acl.grantee
            FROM pg_catalog.pg_proc AS called JOIN space ON space.oid = called.pronamespace
            CROSS JOIN LATERAL aclexplode(coalesce(called.proacl, acldefault('f', called.proowner))) AS acl
            UNION ALL
            SELECT 'DATABASE', quote_ident(own.datname), acl.privilege_type, '', acl.grantee
            FROM pg_catalog.pg_database AS own
            CROSS JOIN LATERAL aclexplode(coalesce(own.datacl, acldefault('d', own.datdba))) AS acl
            WHERE own.datname = current_database()
        )
        SELECT DISTINCT kind, name, privilege::text, part,
            CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END
        FROM given WHERE grantee = 0 OR pg_get_userbyid(grantee) = ANY (\(Self.granted))
        """
    }

    /// The database first, then schemas; sequences of identity columns follow their tables.
    var adoptions: String {
        """
        WITH space AS (
            SELECT oid, nspname, nspowner FROM pg_catalog.pg_namespace WHERE nspname = ANY (\(schemas))
        ), found (place, what, owner) AS (
            SELECT 1, 'DATABASE ' || quote_ident(datname), datdba
            FROM pg_catalog.pg_database WHERE datname = current_database()
            UNION ALL
            SELECT 2, 'SCHEMA ' || quote_ident(nspname), nspowner FROM space
            UNION ALL
            SELECT 3, CASE class.relkind WHEN 'v' THEN 'VIEW ' WHEN 'm' THEN 'MATERIALIZED VIEW '
                    WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END
                || format('%I.%I', space.nspname, class.relname), class.relowner
            FROM pg_catalog.pg_class AS class JOIN space ON space.oid = class.relnamespace
            WHERE class.relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_depend AS tied
                WHERE tied.classid = 'pg_catalog.pg_class'::regclass AND tied.objid = class.oid
                    AND class.relkind = 'S' AND tied.deptype IN ('a', 'i'))
            UNION ALL
            SELECT 4, 'FUNCTION ' || called.oid::regprocedure::text, called.proowner
            FROM pg_catalog.pg_proc AS called JOIN space ON space.oid = called.pronamespace
        )
        SELECT format('ALTER %s OWNER TO \(ServiceRole.owner)', what) FROM found
        WHERE pg_get_userbyid(owner) <> '\(ServiceRole.owner)' ORDER BY place, what
        """
    }

    var forced: String {
        """
        SELECT format('%I.%I', space.nspname, class.relname)
        FROM pg_catalog.pg_class AS class
        JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
        WHERE space.nspname = ANY (\(schemas)) AND class.relforcerowsecurity ORDER BY 1
        """
    }

    var policies: String {
        """
        SELECT format('%I.%I', schemaname, tablename), roles::text[]
        FROM pg_catalog.pg_policies WHERE schemaname = ANY (\(schemas)) AND policyname = 'services'
        """
    }

    var functions: String {
        """
        SELECT called.oid::regprocedure::text, called.prosecdef, called.prosrc
        FROM pg_catalog.pg_proc AS called
        JOIN pg_catalog.pg_namespace AS space ON space.oid = called.pronamespace
        WHERE space.nspname = ANY (\(schemas))
        """
    }
}
