/// What a migration of an installation has to tell, in its order; ``description`` is one line.
package enum MigrationNews: Sendable, Hashable, CustomStringConvertible {
    /// How a schema was found.
    case found(SchemaState)
    /// Every schema can be worked with as it is.
    case nothingToDo
    /// What people own is in a file.
    case backedUp(path: String, BackupReport)
    /// The file was restored into a database of its own, which is gone again.
    case checked(path: String)
    /// Nobody wanted a backup.
    case unprotected
    /// A schema was changed.
    case migrated(schema: String, MigrationReport)

    package var description: String {
        switch self {
        case .found(let state): state.description
        case .nothingToDo: "nothing is to be done"
        case .backedUp(let path, let report):
            "backed up to \(path): \(report.rows) rows of \(report.tables) tables"
        case .checked: "the backup was restored into a database of its own, and is whole"
        case .unprotected: "no backup is made, as was asked for"
        case .migrated(let schema, let report): "\(schema): now at version \(report.version)"
        }
    }

    /// Whether it is news of every start.
    package var isRoutine: Bool {
        switch self {
        case .found(let state): state.standing.isUsable
        case .nothingToDo: true
        case .backedUp, .checked, .unprotected, .migrated: false
        }
    }
}
