import Support

@testable import Store

/// What is in the tables of some schemas: of each the rows, and a sum over their contents.
struct TableSums: Equatable {
    struct Sum: Equatable, CustomStringConvertible {
        var rows: Int64
        var contents: String

        var description: String { "\(rows) rows, \(contents)" }
    }

    /// The columns that count, by table.
    private(set) var columns: [String: [String]] = [:]
    private(set) var sums: [String: Sum] = [:]

    /// Of every table that is there, without the records of migrations.
    static func all(_ schemas: [String], in configuration: StoreConfiguration) async throws -> TableSums {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                var found = TableSums()
                let names = schemas.map { "'\($0)'" }.joined(separator: ", ")
                try session.rows(
                    sql: """
                        SELECT nspname || '.' || relname, quote_ident(attname)
                        FROM pg_catalog.pg_attribute
                        JOIN pg_catalog.pg_class AS class ON class.oid = attrelid
                        JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = relnamespace
                        WHERE nspname IN (\(names)) AND relkind IN ('r', 'p') AND NOT relispartition
                            AND relname <> 'schema_migration' AND attnum > 0 AND NOT attisdropped
                        ORDER BY attrelid, attnum
                        """
                ) { (row) throws(StoreError) in
                    found.columns[try row.text(), default: []].append(try row.text())
                }
                return try found.again(session)
            }
        }
    }

    /// Of the same columns now; throws where one is gone.
    func again(in configuration: StoreConfiguration) async throws -> TableSums {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in try again(session) }
        }
    }

    private func again(_ session: borrowing Session) throws -> TableSums {
        var now = TableSums(columns: columns)
        for (table, columns) in columns {
            // In no order, because an update moves a row.
            let row = "hashtextextended(ROW(\(columns.joined(separator: ", ")))::text, 0)::numeric"
            try session.rows(sql: "SELECT count(*), coalesce(sum(\(row)), 0)::text FROM \(table)") {
                (row) throws(StoreError) in
                now.sums[table] = Sum(rows: try row.int64(), contents: try row.text())
            }
        }
        return now
    }

    /// The tables that differ, with both.
    func differences(to other: TableSums) -> [String] {
        sums.keys.sorted().filter { sums[$0] != other.sums[$0] }
            .map { "\($0): \(sums[$0].map { "\($0)" } ?? "-"), \(other.sums[$0].map { "\($0)" } ?? "gone")" }
    }

    /// Tables with no row.
    var empty: [String] { sums.filter { $0.value.rows == 0 }.keys.sorted() }
}
