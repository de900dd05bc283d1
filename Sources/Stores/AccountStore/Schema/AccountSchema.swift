package import Logging
package import Store

/// The schema `accounts`: who uses this installation.
package enum AccountSchema {
    /// Brings the schema to this program's version.
    package static let migrator = Migrator(
        schema: "accounts",
        migrations: [
            M0001_Users.self, M0002_Accounts.self, M0003_Watchlists.self, M0004_OwnAccounts.self,
            M0005_Erasure.self, M0006_Apple.self, M0007_AlertPreference.self, M0008_Terminal.self,
            M0009_Adoption.self, M0010_Audit.self,
        ])

    /// Channel that tells what was revoked, see ``Revocation/init(payload:)``; for ``Database/listen(to:)``.
    package static let revocationChannel = "account_revocation"

    /// Brings the schema to this program's version.
    ///
    /// - Throws: As ``Migrator/migrate(_:logger:)``.
    package static func migrate(_ configuration: StoreConfiguration, logger: Logger) async throws(StoreError)
    {
        try await migrator.migrate(configuration, logger: logger)
    }
}

/// The people, and the one who runs the installation.
enum M0001_Users: Migration {
    static let version = 1
    static let name = "users"
    static let sql = """
        CREATE TABLE accounts.app_user (
            user_id uuid PRIMARY KEY,
            name text NOT NULL UNIQUE CHECK (name <> ''),
            created_at timestamptz NOT NULL DEFAULT now()
        );
        COMMENT ON TABLE accounts.app_user IS 'Who owns rules, channels and portfolios.';
        -- Who works on the machine itself; never an account that anybody signs in to.
        INSERT INTO accounts.app_user (user_id, name)
        VALUES ('00000000-0000-7000-8000-000000000001', 'operator');
        """
}
