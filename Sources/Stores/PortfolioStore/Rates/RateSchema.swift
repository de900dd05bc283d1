import Store

/// What currencies were worth, in the schema `rates`.
///
/// It comes back from where it was read, so that it belongs to no backup.
enum RateSchema {
    static let migrator = Migrator(schema: "rates", migrations: [M0001_Euro.self])

    enum M0001_Euro: Migration {
        static let version = 1
        static let name = "euro"
        static let sql = """
            \(GatewayRole.creation)
            CREATE TABLE rates.euro (
                currency text NOT NULL CHECK (currency <> ''),
                -- The UTC day, counted from 1970-01-01.
                day integer NOT NULL,
                rate numeric NOT NULL CHECK (rate > 0),
                source text NOT NULL CHECK (source <> ''),
                PRIMARY KEY (currency, day)
            );
            COMMENT ON TABLE rates.euro IS 'Units of the currency for one euro, and who said so.';
            GRANT USAGE ON SCHEMA rates TO bitpal_gateway;
            GRANT SELECT ON rates.euro TO bitpal_gateway;
            """
    }
}
