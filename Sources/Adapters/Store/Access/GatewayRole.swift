/// The database role that whoever acts for a signed-in user takes on, and what it may see.
///
/// Row-level security is the second layer: each statement of the gateway names the owner, and where one
/// should forget it the database still shows the role nothing but the user's own rows. Services work as the
/// owner of the tables, with a policy of their own.
///
/// Source: PostgreSQL manual 15, 5.8 "Row Security Policies"; RELIABILITY S6.
package enum GatewayRole {
    /// Nobody signs in as it.
    package static let name = "bitpal_gateway"

    /// The owner that a transaction acts for, as a policy's condition; nobody when it acts for none.
    package static let actor = "nullif(current_setting('bitpal.user', true), '')::uuid"

    /// Makes the role where it is missing, and lets who migrates take it on.
    ///
    /// Part of migrations, so its text never changes. A user who may make no roles gets one error that says
    /// what an administrator has to run.
    package static let creation = """
        DO $role$
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'bitpal_gateway') THEN
                BEGIN
                    CREATE ROLE bitpal_gateway NOLOGIN NOINHERIT;
                EXCEPTION WHEN duplicate_object OR unique_violation THEN
                    -- Another database of the server was migrated at the same time.
                    NULL;
                END;
            END IF;
            IF NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
                BEGIN
                    EXECUTE format('GRANT bitpal_gateway TO %I', current_user);
                EXCEPTION WHEN insufficient_privilege THEN
                    IF NOT pg_catalog.pg_has_role(current_user, 'bitpal_gateway', 'MEMBER') THEN
                        RAISE;
                    END IF;
                END;
            END IF;
        EXCEPTION WHEN insufficient_privilege THEN
            RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format(
                'the role bitpal_gateway is missing and %1$I may not make it: let an administrator run '
                'CREATE ROLE bitpal_gateway NOLOGIN; GRANT bitpal_gateway TO %1$I; and start again',
                current_user);
        END
        $role$;
        """

    /// Shows the role the rows of a table for which a condition holds, and the owner of the table all.
    ///
    /// Part of migrations, so its text never changes.
    ///
    /// - Parameters:
    ///   - table: With its schema.
    ///   - condition: In terms of the table's columns and ``actor``.
    /// - Returns: Statements.
    package static func policies(_ table: String, _ condition: String) -> String {
        """
        ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
        ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;
        CREATE POLICY services ON \(table) TO CURRENT_USER USING (true) WITH CHECK (true);
        CREATE POLICY own_rows ON \(table) TO bitpal_gateway USING (\(condition)) WITH CHECK (\(condition));
        """
    }
}
