/// Why a schema cannot be worked with, or brought to the program's version.
package enum MigrationProblem: Error, Sendable {
    /// The recorded text of a migration differs from the program's.
    case checksumDrift(schema: String, version: Int, name: String)
    /// The database has a migration that programs before `readableFrom` cannot work on, as this one.
    case databaseNewer(schema: String, database: Int, program: Int, readableFrom: Int)
    /// The database lacks migrations, and it is not for this program to apply them.
    case databaseOlder(schema: String, database: Int, program: Int)
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
        case .checksumDrift, .databaseNewer, .databaseOlder, .missing: .fatal
        }
    }

    /// One line: what is wrong and what to do.
    var description: String { "\(cause); \(advice)" }

    /// What is wrong.
    package var cause: String {
        switch self {
        case .checksumDrift(let schema, let version, let name):
            "schema \(schema): migration \(version) (\(name)) was changed after it was applied"
        case .databaseNewer(let schema, let database, let program, let readableFrom):
            "schema \(schema) is at version \(database), which programs from version \(readableFrom) on can"
                + " work on, and this one knows \(program)"
        case .databaseOlder(let schema, let database, let program):
            "schema \(schema) is at version \(database), and this program needs version \(program)"
        case .missing(let schema, let version, let database):
            "schema \(schema) is at version \(database), but migration \(version) was never applied"
        case .busy(let schema): "schema \(schema) is being migrated by another program"
        case .failed(let schema, let version, let cause):
            "schema \(schema): migration \(version) failed: \(cause.description)"
        }
    }

    /// What to do.
    package var advice: String {
        switch self {
        case .checksumDrift: "use the program that applied it"
        case .databaseNewer:
            "use a newer program, or go back to the backup of before the migration in another database"
        case .databaseOlder: "run `bitpal migrate` of this version, which backs up first"
        case .missing: "use the program that made it"
        case .busy: "try again"
        case .failed: "repair the cause and try again"
        }
    }
}
