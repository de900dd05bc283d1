@testable import Store

/// Steps of a version that is not written yet, for each schema.
enum PlantedSteps {
    /// Adds a column to a table that there is, and a table.
    enum Expanding: Migration {
        static let version = 9_000
        static let name = "planted expansion"
        static let sql = """
            ALTER TABLE alerts.rule ADD COLUMN planted text NOT NULL DEFAULT 'planted';
            ALTER TABLE portfolio.revision ADD COLUMN planted numeric CHECK (planted > 0);
            ALTER TABLE market.candle ADD COLUMN planted bigint;
            ALTER TABLE accounts.account ADD COLUMN planted jsonb NOT NULL DEFAULT '{}';
            CREATE TABLE alerts.planted (
                rule_id uuid PRIMARY KEY REFERENCES alerts.rule, note text NOT NULL);
            INSERT INTO alerts.planted SELECT rule_id, rule ->> 'name' FROM alerts.rule;
            """
    }

    /// Takes away what the landed release asks for, and says nothing of it.
    enum Contracting: Migration {
        static let version = 9_000
        static let name = "planted contraction"
        static let sql = """
            ALTER TABLE alerts.rule RENAME COLUMN channels TO told_by;
            ALTER TABLE portfolio.wallet DROP COLUMN note;
            """
    }

    /// The same, and says so.
    enum ContractingSaid: Migration {
        static let version = 9_000
        static let name = "planted contraction"
        static let sql = Contracting.sql
        static let readableFrom: Int? = 9_000
    }

    /// A step that loses what was there, without touching any statement.
    enum Losing: Migration {
        static let version = 9_000
        static let name = "planted loss"
        static let sql = """
            UPDATE alerts.rule SET rule = (rule::jsonb)::json;
            DELETE FROM accounts.watchlist_entry;
            """
    }

    /// Every schema, `alerts` with one step more.
    static func after(_ migrators: [Migrator], _ step: any Migration.Type) -> [Migrator] {
        migrators.map { migrator in
            guard migrator.schema == "alerts" else { return migrator }
            return Migrator(schema: migrator.schema, migrations: migrator.migrations + [step])
        }
    }
}
