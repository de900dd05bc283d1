/// What services need of the owner's rights beyond making partitions: a function that does no more than that.
///
/// Where there are no roles there are no such functions either, and who works owns what it locks and drops:
/// see `MarketStore`.
struct OwnerFunction: Sendable {
    /// As PostgreSQL prints it.
    let name: String
    private let parameters: String
    /// What stands in the catalogue.
    let body: String

    static let all = [
        OwnerFunction("market.lock_instruments", "", "LOCK TABLE market.instrument IN SHARE MODE;"),
        OwnerFunction("market.lock_partitions", each: "LOCK TABLE market.%I IN SHARE MODE"),
        OwnerFunction("market.drop_partitions", each: "DROP TABLE market.%I"),
    ]

    private init(_ name: String, _ parameter: String, _ statements: String) {
        self.name = "\(name)(\(parameter))"
        parameters = parameter.isEmpty ? "" : "names \(parameter)"
        body = "\nDECLARE\n    part text;\nBEGIN\n    \(statements)\nEND\n"
    }

    /// Whatever else is named than partitions is refused, as if there were no function.
    private init(_ name: String, each statement: String) {
        self.init(
            name, "text[]",
            """
            FOREACH part IN ARRAY names LOOP
                    IF NOT EXISTS (SELECT FROM market.partition AS known WHERE known.name = part) THEN
                        RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = part || ' is no partition';
                    END IF;
                    EXECUTE format('\(statement)', part);
                END LOOP;
            """)
    }

    /// Statements that may be run again; what a superuser makes so has no superuser's rights.
    var creation: [String] {
        let bare = name.prefix { $0 != "(" }
        return [
            """
            CREATE OR REPLACE FUNCTION \(bare)(\(parameters)) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $owner$\(body)$owner$
            """,
            "ALTER FUNCTION \(name) OWNER TO \(ServiceRole.owner)",
        ]
    }
}
