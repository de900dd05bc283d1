/// How a schema of a database stands beside the program.
package struct SchemaState: Sendable, Hashable {
    /// Which of the two is ahead.
    package enum Standing: Sendable, Hashable {
        /// There is no such schema yet.
        case absent
        /// Steps of the program are missing.
        case older
        /// Both are of one version.
        case current
        /// A newer program was there, and this one can work on what it left.
        case newer

        /// Whether the program can work on it as it is.
        package var isUsable: Bool { self == .current || self == .newer }
    }

    package let schema: String
    /// The version of the database; 0 where there is none.
    package let database: Int
    /// The version that the program brings it to.
    package let program: Int
    /// The oldest version whose programs can work on the database as it is.
    package let readableFrom: Int
    /// Version and name of each step of the program that the database lacks.
    package let pending: [String]

    package var standing: Standing {
        if database == 0, program > 0 { return .absent }
        if database < program { return .older }
        return database > program ? .newer : .current
    }
}

extension SchemaState: CustomStringConvertible {
    /// One line for a person.
    package var description: String {
        switch standing {
        case .current: "\(schema): at version \(database)"
        case .newer:
            "\(schema): at version \(database), newer than this program's \(program), which can work on it"
        case .absent: "\(schema): not there; to be made at version \(program)"
        case .older: "\(schema): at version \(database); to be applied: \(pending.joined(separator: ", "))"
        }
    }
}

extension Migrator {
    /// How the schema stands, once it is sure that its record is one that this program can work with.
    func state(_ session: borrowing Session) throws(StoreError) -> SchemaState {
        let recorded = try record(session)
        let newest = recorded.last?.version ?? 0
        let readableFrom = recorded.map(\.readableFrom).max() ?? 1
        for (step, migration) in zip(recorded, migrations) {
            guard step.version == migration.version else {
                throw .migration(
                    step.version > migration.version
                        ? .missing(schema: schema, version: migration.version, database: newest)
                        : .databaseNewer(
                            schema: schema, database: newest, program: version, readableFrom: newest))
            }
            guard step.sha256 == Checksum.of(migration.sql) else {
                throw .migration(.checksumDrift(schema: schema, version: step.version, name: step.name))
            }
        }
        guard newest <= version || readableFrom <= version else {
            throw .migration(
                .databaseNewer(
                    schema: schema, database: newest, program: version, readableFrom: readableFrom))
        }
        return SchemaState(
            schema: schema, database: newest, program: version, readableFrom: readableFrom,
            pending: migrations.filter { $0.version > newest }.map { "\($0.version) (\($0.name))" })
    }

    /// The recorded steps, by version; none without a record.
    private func record(_ session: borrowing Session) throws(StoreError) -> [RecordedMigration] {
        var isThere = false
        try session.rows(sql: "SELECT to_regclass('\(schema).schema_migration') IS NOT NULL") {
            (row) throws(StoreError) in isThere = try row.bool()
        }
        guard isThere else { return [] }
        var recorded: [RecordedMigration] = []
        // What was recorded before anybody looked was for programs of its own version, and may be in a table
        // without the column.
        let sql = """
            SELECT version, name, sha256,
                coalesce((to_jsonb(step) ->> 'readable_from')::integer, version)
            FROM \(schema).schema_migration AS step ORDER BY version
            """
        try session.rows(sql: sql) { (row) throws(StoreError) in
            recorded.append(
                RecordedMigration(
                    version: Int(try row.int32()), name: try row.text(), sha256: try row.text(),
                    readableFrom: Int(try row.int32())))
        }
        return recorded
    }
}

private struct RecordedMigration {
    let version: Int
    let name: String
    let sha256: String
    let readableFrom: Int
}
