/// A table as a backup sees it.
struct BackupTable {
    /// A column that is stored; generated ones are not.
    struct Column {
        var name: String
        var isJSON: Bool
        var isIdentity: Bool
    }

    /// With its schema.
    var name: String
    var columns: [Column]
    /// Tables that it refers to, without itself.
    var references: Set<String>

    /// Every row as one line of JSON; JSON inside of it as text, byte for byte.
    var reading: String {
        let list = columns.map { $0.isJSON ? "\"\($0.name)\"::text" : "\"\($0.name)\"" }
        return
            "SELECT row_to_json(entry)::text FROM (SELECT \(list.joined(separator: ", ")) FROM \(name)) AS entry"
    }

    /// Stores rows of an array of JSON.
    ///
    /// - Parameters:
    ///   - names: Columns that the rows have.
    ///   - json: The array.
    ///   - keepsKnown: Whether rows that are there already stay, and identities are given anew.
    /// - Returns: The statement.
    func writing(_ names: Set<String>, _ json: String, keepsKnown: Bool) -> String {
        let wanted = columns.filter { names.contains($0.name) && !(keepsKnown && $0.isIdentity) }
        let targets = wanted.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let values = wanted.map {
            $0.isJSON ? "(entry.\"\($0.name)\" #>> '{}')::json" : "entry.\"\($0.name)\""
        }
        return """
            INSERT INTO \(name) (\(targets)) OVERRIDING SYSTEM VALUE
            SELECT \(values.joined(separator: ", "))
            FROM json_populate_recordset(NULL::\(name), '\(json.replacing("'", with: "''"))') AS entry
            \(keepsKnown ? "ON CONFLICT DO NOTHING" : "")
            """
    }

    /// The tables in an order in which each comes after those that it refers to.
    static func ordered(_ tables: [BackupTable]) -> [BackupTable] {
        var waiting = tables
        var ordered: [BackupTable] = []
        var placed: Set<String> = []
        let known = Set(tables.map(\.name))
        while !waiting.isEmpty {
            let ready = waiting.filter { $0.references.intersection(known).isSubset(of: placed) }
            // A circle cannot be ordered; its rows decide then.
            let next = ready.isEmpty ? waiting : ready
            ordered += next
            placed.formUnion(next.map(\.name))
            waiting.removeAll { placed.contains($0.name) }
        }
        return ordered
    }
}

extension Session {
    /// The tables of schemas, and single ones; without the records of migrations.
    func backupTables(_ schemas: [String], _ single: [String]) throws(StoreError) -> [BackupTable] {
        let names = (schemas.map { "\($0).%" } + single).map { "'\($0)'" }.joined(separator: ", ")
        let all = """
            SELECT class.oid, namespace.nspname || '.' || class.relname AS name
            FROM pg_catalog.pg_class AS class
            JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
            WHERE class.relkind = 'r' AND class.relname <> 'schema_migration'
                AND namespace.nspname || '.' || class.relname LIKE ANY (ARRAY[\(names)])
            """
        var tables: [String: BackupTable] = [:]
        try rows(
            sql: """
                WITH named AS (\(all))
                SELECT name::text, attname::text, atttypid = 'json'::regtype, attidentity <> ''
                FROM named JOIN pg_catalog.pg_attribute ON attrelid = oid
                WHERE attnum > 0 AND NOT attisdropped AND attgenerated = ''
                ORDER BY name, attnum
                """
        ) { (row) throws(StoreError) in
            let name = try row.text()
            let column = BackupTable.Column(
                name: try row.text(), isJSON: try row.bool(), isIdentity: try row.bool())
            tables[name, default: BackupTable(name: name, columns: [], references: [])].columns
                .append(column)
        }
        try rows(
            sql: """
                WITH named AS (\(all))
                SELECT source.name::text, target.name::text
                FROM pg_catalog.pg_constraint
                JOIN named AS source ON source.oid = conrelid
                JOIN named AS target ON target.oid = confrelid
                WHERE contype = 'f' AND conrelid <> confrelid
                """
        ) { (row) throws(StoreError) in
            tables[try row.text()]?.references.insert(try row.text())
        }
        return BackupTable.ordered(tables.values.sorted { $0.name < $1.name })
    }
}
