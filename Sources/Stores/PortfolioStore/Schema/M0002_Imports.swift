import Store

/// Where transactions came from, and what of it was left out.
enum M0002_Imports: Migration {
    static let version = 2
    static let name = "imports"
    static let sql = """
        CREATE TABLE portfolio.import (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio,
            number integer NOT NULL CHECK (number >= 1),
            change bigint NOT NULL,
            made_at timestamptz NOT NULL,
            source text NOT NULL,
            format text NOT NULL,
            rows integer NOT NULL CHECK (rows >= 0),
            added integer NOT NULL CHECK (added >= 0),
            PRIMARY KEY (portfolio_id, number)
        );
        COMMENT ON TABLE portfolio.import IS 'Files that added something; a repetition adds nothing.';

        CREATE TABLE portfolio.import_line (
            portfolio_id uuid NOT NULL,
            number integer NOT NULL,
            line integer NOT NULL,
            reason text NOT NULL,
            FOREIGN KEY (portfolio_id, number) REFERENCES portfolio.import
        );
        COMMENT ON TABLE portfolio.import_line IS 'Lines that added nothing, and why.';
        CREATE INDEX import_line_of ON portfolio.import_line (portfolio_id, number, line);
        """
}
