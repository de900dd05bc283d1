import AccountStore
import Accounts
import ArgumentParser
import Bus
import Glibc
import Store

/// Where the keys are.
struct KeyFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of keys; else keys in the data directory of `bitpal up`.", valueName: "folder"))
    var keys: String?
    @OptionGroup var database: DatabaseOptions

    var dataDirectory: String { database.dataDir ?? DataDirectory.standard }
    var folder: KeyFolder { KeyFolder(keys ?? dataDirectory + "/keys") }

    /// Leaves a line in the audit log, or says why there is none: keys are files, and may well be made before
    /// there is a database, or where none is reached.
    ///
    /// - Parameters:
    ///   - action: What was done.
    ///   - client: Whose keys, where it is one's.
    ///   - actor: By whom.
    func audit(_ action: AuditAction, of client: String? = nil, by actor: AuditActor) async {
        let detail = client.map { ["client": $0] } ?? [:]
        do {
            guard let configuration = try await database.find(nil) else {
                return warn("no database is found")
            }
            try await DatabaseOptions.use(configuration) { database in
                try await database.transaction { session in
                    try session.audit(AuditChange(action, .keys, with: detail), by: actor)
                }
            }
        } catch {
            warn("\(error)")
        }
    }

    /// Whoever looks away has what was done.
    private func warn(_ reason: String) {
        let errors = StandardOutput(descriptor: STDERR_FILENO)
        try? errors.writeLine("warning: this is in no audit log: \(reason)")
        try? errors.flush()
    }
}
