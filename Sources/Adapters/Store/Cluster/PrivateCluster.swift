import Glibc
import Synchronization
import Threads

/// A PostgreSQL cluster that belongs to this program, in a directory, on a Unix socket only.
///
/// It is made at the first start. A server that an earlier program left running is taken over, one that
/// crashed is started again and recovers by itself. Durable settings keep every commit through a crash.
/// As root the server runs as the owner of an existing cluster, otherwise as the user `postgres`.
package final class PrivateCluster: Sendable {
    /// Part of the socket's name; no port is opened.
    static let port = 5432
    /// Name of the database and of its owner.
    static let name = "bitpal"

    let directory: String
    let settings: ClusterSettings
    /// Where the cluster of an unreachable directory goes; only root gets there.
    private let otherDirectory: String
    private let state = Mutex<State>(State())
    private let isCancelled = Atomic<Bool>(false)

    private struct State: ~Copyable {
        var lock: DirectoryLock?
        var location: ClusterLocation?
        var user: ClusterUser?
        var processID: pid_t = 0
    }

    /// Names a cluster without touching it.
    ///
    /// - Parameters:
    ///   - directory: Where the cluster's files go, in `postgres/`; made when it is missing.
    ///   - settings: How its server runs.
    package convenience init(directory: String, settings: ClusterSettings = .durable) {
        self.init(directory: directory, settings: settings, otherDirectory: "/var/lib/bitpal")
    }

    init(directory: String, settings: ClusterSettings, otherDirectory: String) {
        self.directory = directory
        self.settings = settings
        self.otherDirectory = otherDirectory
    }

    /// Where the cluster is; `nil` before ``start()``.
    package var location: ClusterLocation? { state.withLock { $0.location } }

    /// Makes the cluster if there is none, starts its server if none runs, and keeps the directory for this
    /// process until ``stop()``.
    ///
    /// - Returns: How to connect to the database `bitpal`.
    /// - Throws: ``ClusterError``; nothing is running then that was not running before.
    package func start() async throws(ClusterError) -> StoreConfiguration {
        let result: Result<StoreConfiguration, ClusterError> = await withTaskCancellationHandler {
            do throws(ClusterError) {
                return .success(
                    try await NamedThread.run(name: "private-cluster") {
                        () throws(ClusterError) -> StoreConfiguration in try self.startBlocking()
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            isCancelled.store(true, ordering: .releasing)
        }
        return try result.get()
    }

    /// Starts the server again if it has ended, as after somebody killed it.
    ///
    /// - Returns: Whether it had ended.
    /// - Throws: ``ClusterError`` when it cannot be started; call again later.
    package func revive() async throws(ClusterError) -> Bool {
        try await NamedThread.run(name: "private-cluster") { () throws(ClusterError) -> Bool in
            try self.reviveBlocking()
        }
    }

    /// Stops the server, also one that was taken over, and gives the directory back.
    ///
    /// Does nothing when none runs.
    ///
    /// Open connections are closed. A server that is not done in two seconds is stopped in immediate mode and
    /// recovers at the next start.
    ///
    /// - Throws: ``ClusterError/stopFailed(processID:)``.
    package func stop() async throws(ClusterError) {
        try await NamedThread.run(name: "private-cluster") { () throws(ClusterError) in
            try self.stopBlocking()
        }
    }

    /// Asks the server to stop, and does not wait: the last that a process does whose end is overdue.
    ///
    /// Source: PostgreSQL manual 15, 19.5: SIGINT is a fast shutdown.
    package func interrupt() {
        guard let location, let server = Postmaster.running(in: location.dataDirectory) else { return }
        kill(server.processID, SIGINT)
    }

    /// How to connect to a server that another process started on this directory; `nil` when none runs.
    ///
    /// - Throws: ``ClusterError/directory(path:problem:)`` when this user may not look.
    package func running() throws(ClusterError) -> StoreConfiguration? {
        let data = recordedDataDirectory()
        guard FileAccess.exists(data) else { return nil }
        guard access(data, X_OK) == 0 else { throw FileAccess.problem(data) }
        guard let directory = Postmaster.running(in: data)?.socketDirectory else { return nil }
        return Self.configuration(socketDirectory: directory)
    }

    static func configuration(socketDirectory: String, database: String = name) -> StoreConfiguration {
        StoreConfiguration(socketDirectory: socketDirectory, port: port, database: database, user: name)
    }

    private func startBlocking() throws(ClusterError) -> StoreConfiguration {
        try FileAccess.makeDirectories(directory)
        let lock = try DirectoryLock(directory: directory)
        let (location, user) = try settle()
        let server = ClusterServer(
            location: location, user: user, settings: settings,
            isCancelled: { self.isCancelled.load(ordering: .acquiring) })
        let configuration = try server.start()
        let process = Postmaster.running(in: location.dataDirectory)?.processID ?? 0
        var kept = Optional(lock)
        state.withLock { state in
            state.lock = kept.take()
            state.location = location
            state.user = user
            state.processID = process
        }
        return configuration
    }

    private func reviveBlocking() throws(ClusterError) -> Bool {
        let (location, user, process) = state.withLock { ($0.location, $0.user, $0.processID) }
        guard let location, let user else { return false }
        if Postmaster.running(in: location.dataDirectory) != nil { return false }
        // A child that has ended stays in the process table until somebody asks for its status.
        if process > 0 { _ = Subprocess.endedStatus(of: process) }
        _ = try ClusterServer(location: location, user: user, settings: settings).start()
        let revived = Postmaster.running(in: location.dataDirectory)?.processID ?? 0
        state.withLock { $0.processID = revived }
        return true
    }

    private func stopBlocking() throws(ClusterError) {
        guard let location else { return }
        try ClusterServer.stop(location.dataDirectory)
        state.withLock { state in
            state.lock = nil
            state.location = nil
        }
    }
}

extension PrivateCluster {
    /// Says where the cluster went when its directory cannot be reached by the server's user.
    private var marker: String { directory + "/postgres.location" }

    private func recordedDataDirectory() -> String {
        let elsewhere = FileAccess.text(marker).map { $0.prefix { !$0.isNewline } } ?? ""
        return elsewhere.isEmpty ? FileAccess.resolved(directory) + "/postgres" : String(elsewhere)
    }

    /// Decides where the cluster is and who runs it, and makes that directory.
    private func settle() throws(ClusterError) -> (ClusterLocation, ClusterUser) {
        let wanted = FileAccess.resolved(directory) + "/postgres"
        let recorded = recordedDataDirectory()
        let user = try ClusterUser.forCluster(in: recorded)
        let isNew = !FileAccess.exists(recorded)
        try user.makePrivateDirectory(recorded)
        if recorded != wanted { return (ClusterLocation(dataDirectory: recorded, isElsewhere: true), user) }
        if try user.canUse(wanted) {
            return (ClusterLocation(dataDirectory: wanted, isElsewhere: false), user)
        }
        if isNew { rmdir(wanted) }
        return (try settleElsewhere(user, wanted), user)
    }

    private func settleElsewhere(_ user: ClusterUser, _ wanted: String) throws(ClusterError)
        -> ClusterLocation
    {
        // Without root there is no better place that would be ours.
        guard geteuid() == 0 else { throw .directory(path: wanted, problem: "permission denied") }
        let data = "\(otherDirectory)/\(ClusterLocation.shortName(of: wanted))/postgres"
        try user.makePrivateDirectory(data)
        guard try user.canUse(data) else { throw .directory(path: data, problem: "permission denied") }
        try FileAccess.write(data + "\n", to: marker)
        return ClusterLocation(dataDirectory: data, isElsewhere: true)
    }
}
