/// Restores a backup as an operator would have to, into a database beside the real one, and looks at it.
///
/// The database is dropped after, whatever happens. Drills of one database wait for each other, up to a
/// minute.
package struct BackupDrill: Sendable {
    private let backup: SchemaBackup
    private let migrators: [Migrator]
    private let rules: [BackupRule]

    /// - Parameters:
    ///   - backup: What is in a file.
    ///   - migrators: Every schema of the installation, each after those that it refers to.
    ///   - rules: What holds in every database of it.
    package init(_ backup: SchemaBackup, migrators: [Migrator], rules: [BackupRule]) {
        self.backup = backup
        self.migrators = migrators
        self.rules = rules
    }

    /// Restores a file and compares.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: A database of the server; nothing in it is read or changed.
    /// - Returns: What was found.
    /// - Throws: ``BackupProblem`` or ``StoreError``.
    package func run(
        _ path: String, beside configuration: StoreConfiguration
    ) async throws -> BackupProof {
        try await DirectWork.run("drill", configuration) { session, open in
            try MigrationLock.take("drill", session)
            var proof = BackupProof()
            try ScratchDatabase("drill", for: session).use(open) { scratch in
                proof = try backup.check(path, in: scratch, made: migrators)
                proof.rules = try hold(path, scratch)
            }
            return proof
        }
    }

    private func hold(_ path: String, _ scratch: borrowing Session) throws -> [String] {
        for rule in rules {
            let exceptions = try rule.exceptions(scratch)
            guard exceptions == 0 else {
                throw BackupProblem.broken(path: path, rule: rule.text, exceptions: exceptions)
            }
        }
        return rules.map(\.text)
    }
}
