import CLinux
import Glibc
import Threads

/// Makes, starts and stops the server of one data directory.
///
/// Every method blocks.
struct ClusterServer {
    let location: ClusterLocation
    let user: ClusterUser
    let settings: ClusterSettings
    /// Whether the start is no longer wanted.
    var isCancelled: @Sendable () -> Bool = { false }

    /// `initdb` writes some 40 MB, and the server needs room for its log of changes.
    private static let minimumFreeBytes: UInt64 = 64 << 20
    /// Recovery after a crash may replay all of `max_wal_size`.
    private static let startLimit: Duration = .seconds(60)
    private static let maximumLogBytes = 8 << 20

    /// The server, running and accepting connections, with its database.
    func start() throws(ClusterError) -> StoreConfiguration {
        if let running = Postmaster.running(in: location.dataDirectory) {
            return try accept(running.processID, isChild: false)
        }
        let installation = try PostgresInstallation.find(for: location.dataDirectory)
        if !location.isInitialized { try initialize(installation) }
        try endSurvivors()
        removeStaleLocks()
        if location.needsOwnSocketDirectory { try user.makePrivateDirectory(location.socketDirectory) }
        try FileAccess.write(
            settings.text(socketDirectory: location.socketDirectory),
            to: location.dataDirectory + "/bitpal.conf")
        limitLog()
        let command = user.prefix + [installation.binaries + "/postgres", "-D", location.dataDirectory]
        let process = try Subprocess.spawn(command, output: .file(location.logFile))
        return try accept(process, isChild: true)
    }

    // MARK: Making

    /// Made beside its place and moved there when it is whole, so that a killed `initdb` leaves nothing
    /// behind.
    private func initialize(_ installation: PostgresInstallation) throws(ClusterError) {
        let data = location.dataDirectory
        if let free = FileAccess.freeBytes(data), free < Self.minimumFreeBytes {
            throw .diskFull(directory: data)
        }
        let partial = data + ".partial"
        _ = try Subprocess.run(["/bin/rm", "-rf", "--", partial], limit: .seconds(30))
        try user.makePrivateDirectory(partial)
        var command =
            user.prefix + [installation.binaries + "/initdb", "-D", partial, "-U", PrivateCluster.name]
        command += ["--auth=trust", "--encoding=UTF8", "--no-locale", "--data-checksums"]
        if !settings.isDurable { command.append("--no-sync") }
        let outcome = try Subprocess.run(command, limit: .seconds(120), isCancelled: isCancelled)
        if isCancelled() {
            // The next start removes it before it begins, if this one cannot.
            _ = try? Subprocess.run(["/bin/rm", "-rf", "--", partial], limit: .seconds(5))
            throw .cancelled
        }
        guard outcome.status == 0 else {
            if outcome.output.contains("No space left on device") { throw .diskFull(directory: data) }
            let reason = outcome.output.split(separator: "\n").first { $0.contains("error:") }
            throw .initializationFailed(detail: reason.map(String.init) ?? outcome.lastLine)
        }
        try include(partial + "/postgresql.conf")
        // Replaces the empty directory.
        if rename(partial, data) != 0 { throw FileAccess.problem(data) }
        FileAccess.synchronize(FileAccess.parent(of: data))
    }

    private func include(_ file: String) throws(ClusterError) {
        guard let text = FileAccess.text(file, limit: 1 << 20) else { throw FileAccess.problem(file) }
        try FileAccess.write(text + "\ninclude_if_exists = 'bitpal.conf'\n", to: file)
        if lchown(file, user.user, user.group) != 0 { throw FileAccess.problem(file) }
    }

    // MARK: Starting

    /// Servers of a killed postmaster hold its shared memory, and a new one refuses to start beside them.
    private func endSurvivors() throws(ClusterError) {
        let deadline = Deadline(after: .seconds(5))
        while true {
            let survivors = Postmaster.survivors(in: location.dataDirectory)
            if survivors.isEmpty { return }
            if deadline.isOver { throw .stopFailed(processID: survivors[0]) }
            for process in survivors { kill(process, SIGQUIT) }
            usleep(20_000)
        }
    }

    /// PostgreSQL believes a lock file as long as any process of its user has the number in it.
    ///
    /// Numbers are given again, and a base backup brings the socket's lock of another server along. No server
    /// works in this directory: whoever calls has looked.
    private func removeStaleLocks() {
        unlink(location.dataDirectory + "/postmaster.pid")
        unlink("\(location.socketDirectory)/.s.PGSQL.\(PrivateCluster.port).lock")
    }

    private func limitLog() {
        var status = stat()
        guard stat(location.logFile, &status) == 0, status.st_size > Self.maximumLogBytes else { return }
        rename(location.logFile, location.logFile + ".1")
    }

    /// Waits until the server takes connections, and makes the database where it is missing.
    private func accept(_ process: pid_t, isChild: Bool) throws(ClusterError) -> StoreConfiguration {
        let deadline = Deadline(after: Self.startLimit)
        var problem = "it takes no connections"
        while !deadline.isOver {
            let hasEnded = isChild ? Subprocess.endedStatus(of: process) != nil : kill(process, 0) != 0
            if hasEnded { throw startFailure() }
            if isCancelled() {
                if isChild { try Self.stop(location.dataDirectory) }
                throw .cancelled
            }
            // A server that was taken over may have its socket elsewhere.
            if let directory = Postmaster.running(in: location.dataDirectory)?.socketDirectory {
                do throws(StoreError) {
                    try makeDatabase(socketDirectory: directory)
                    return PrivateCluster.configuration(socketDirectory: directory)
                } catch {
                    if error.isDiskFull {
                        if isChild { try Self.stop(location.dataDirectory) }
                        throw .diskFull(directory: location.dataDirectory)
                    }
                    problem = error.description
                }
            }
            usleep(10_000)
        }
        if isChild { try Self.stop(location.dataDirectory) }
        throw .startFailed(detail: problem, logFile: location.logFile)
    }

    private func startFailure() -> ClusterError {
        let lines = (FileAccess.text(location.logFile, limit: 8 << 10, fromEnd: true) ?? "")
            .split(separator: "\n")
        if lines.contains(where: { $0.contains("No space left on device") }) {
            return .diskFull(directory: location.dataDirectory)
        }
        let reason =
            lines.last { $0.contains("FATAL:") || $0.contains("PANIC:") } ?? lines.last ?? "no reason given"
        return .startFailed(detail: String(reason), logFile: location.logFile)
    }

    private func makeDatabase(socketDirectory: String) throws(StoreError) {
        let configuration = PrivateCluster.configuration(
            socketDirectory: socketDirectory, database: "postgres")
        let connection = try Connection(configuration, signal: try WakeSignal())
        var exists = false
        let query = "SELECT FROM pg_database WHERE datname = '\(PrivateCluster.name)'"
        try connection.once(query, name: "CREATE DATABASE") { (result) throws(StoreError) in
            exists = result.rowCount > 0
        }
        if !exists {
            try connection.script("CREATE DATABASE \(PrivateCluster.name)", name: "CREATE DATABASE")
        }
    }

    // MARK: Stopping

    /// Source: PostgreSQL manual 15, 19.5: SIGINT is a fast shutdown, SIGQUIT an immediate one.
    static func stop(_ dataDirectory: String) throws(ClusterError) {
        for (signal, limit) in [(SIGINT, Duration.seconds(2)), (SIGQUIT, .seconds(1))] {
            guard let server = Postmaster.running(in: dataDirectory) else { return }
            kill(server.processID, signal)
            let deadline = Deadline(after: limit)
            while !deadline.isOver {
                // A child that has ended stays in the process table until somebody asks for its status.
                _ = Subprocess.endedStatus(of: server.processID)
                if Postmaster.running(in: dataDirectory) == nil { return }
                usleep(5_000)
            }
        }
        if let server = Postmaster.running(in: dataDirectory) {
            throw .stopFailed(processID: server.processID)
        }
    }
}
