/// Why a private PostgreSQL cluster cannot be used.
///
/// Every description says what to do.
package enum ClusterError: Error, Sendable, CustomStringConvertible {
    /// No PostgreSQL server is installed, or the user `postgres` that it brings is missing.
    case serverMissing
    /// The data directory was made by a major version that is not installed.
    case versionMissing(needed: Int, directory: String)
    /// Another process owns the directory; 0 when its number is unknown.
    case inUse(directory: String, processID: Int32)
    /// The file system is full, or has less than 64 MB left where a cluster must be made.
    case diskFull(directory: String)
    /// A file or directory cannot be used; `problem` is the system's word for it.
    case directory(path: String, problem: String)
    /// `initdb` failed; `detail` is its last line.
    case initializationFailed(detail: String)
    /// The server did not start; `detail` is the last line of its log that says why.
    case startFailed(detail: String, logFile: String)
    /// The task that started the server was cancelled; nothing of it runs.
    case cancelled
    /// The server did not end, not even in immediate mode.
    case stopFailed(processID: Int32)

    /// One line for a person.
    package var description: String {
        switch self {
        case .serverMissing:
            "PostgreSQL is not installed: apt-get install postgresql, or set BITPAL_DATABASE_URL"
        case .versionMissing(let needed, let directory):
            "\(directory) was made by PostgreSQL \(needed): apt-get install postgresql-\(needed)"
        case .inUse(let directory, let processID):
            "another bitpal (process \(processID)) uses \(directory): stop it or choose another directory"
        case .diskFull(let directory):
            "no space left for PostgreSQL in \(directory): free space or choose another data directory"
        case .directory(let path, let problem): "cannot use \(path): \(problem)"
        case .initializationFailed(let detail): "PostgreSQL's initdb failed: \(detail)"
        case .startFailed(let detail, let logFile): "PostgreSQL did not start: \(detail) (see \(logFile))"
        case .cancelled: "the start of PostgreSQL was cancelled"
        case .stopFailed(let processID): "PostgreSQL (process \(processID)) does not stop"
        }
    }
}
