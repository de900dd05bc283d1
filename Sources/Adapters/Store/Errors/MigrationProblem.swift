/// Why a schema cannot be brought to the program's version.
package enum MigrationProblem: Error, Sendable {
    /// The recorded text of a migration differs from the program's.
    case checksumDrift(schema: String, version: Int, name: String)
    /// The database has a migration that this program does not know.
    case databaseNewer(schema: String, database: Int, program: Int)
    /// A migration below the database's version was never applied.
    case missing(schema: String, version: Int, database: Int)
    /// Another program is migrating and did not finish in time.
    case busy(schema: String)
    /// The migration's own statements failed.
    case failed(schema: String, version: Int, cause: StoreError)

    var disposition: Disposition {
        switch self {
        case .busy: .retry(after: .seconds(1))
        case .failed(_, _, let cause): cause.disposition
        case .checksumDrift, .databaseNewer, .missing: .fatal
        }
    }

    var description: String {
        switch self {
        case .checksumDrift(let schema, let version, let name):
            "schema \(schema): migration \(version) (\(name)) was changed after it was applied;"
                + " use the program that applied it"
        case .databaseNewer(let schema, let database, let program):
            "schema \(schema) is at version \(database), newer than this program's \(program);"
                + " use a newer program"
        case .missing(let schema, let version, let database):
            "schema \(schema) is at version \(database), but migration \(version) was never applied"
        case .busy(let schema): "schema \(schema) is being migrated by another program; try again"
        case .failed(let schema, let version, let cause):
            "schema \(schema): migration \(version) failed: \(cause.description)"
        }
    }
}
