import Glibc
import Support
import Testing

@testable import Store

@Suite("Private cluster", .timeLimit(.minutes(10)))
struct PrivateClusterTests {
    private func directory(_ name: String = "data") throws -> String {
        try TestDatabase.temporaryDirectory() + "/" + name
    }

    private func withDatabase<Value>(
        _ configuration: StoreConfiguration, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        try await Database.use(configuration, logger: TestDatabase.logger, body)
    }

    @Test("starts, stops, and finds its data again")
    func restart() async throws {
        let cluster = PrivateCluster(directory: try directory(), settings: .throwaway)
        try await withDatabase(try await cluster.start()) { database in
            try await database.script(itemTable + "; INSERT INTO item VALUES (1, 'kept')")
        }
        try await cluster.stop()
        #expect(try cluster.running() == nil)
        let items = try await withDatabase(try await cluster.start()) { database in
            try await database.rows(Items())
        }
        #expect(items == [1])
        try await cluster.stop()
    }

    @Test("listens on no network port and keeps its files to its user")
    func isPrivate() async throws {
        let cluster = PrivateCluster(directory: try directory(), settings: .throwaway)
        let configuration = try await cluster.start()
        let location = try #require(cluster.location)
        #expect(FileAccess.owner(location.dataDirectory).map { $0.mode & 0o777 } == 0o700)
        #expect(!location.isElsewhere)
        let addresses = try await withDatabase(configuration) { database in
            try await database.first(Listening())
        }
        #expect(addresses == "")
        try await cluster.stop()
    }

    @Test("is started again when somebody killed its server, and is left alone while it runs")
    func revived() async throws {
        let cluster = PrivateCluster(directory: try directory(), settings: .throwaway)
        _ = try await cluster.start()
        #expect(try await cluster.revive() == false)
        let data = try #require(cluster.location?.dataDirectory)
        let server = try #require(Postmaster.running(in: data)?.processID)
        kill(server, SIGKILL)
        _ = Subprocess.wait(for: server)
        #expect(try await cluster.revive())
        let configuration = try #require(try cluster.running())
        try await withDatabase(configuration) { database in try await database.script("SELECT 1") }
        try await cluster.stop()
    }

    @Test("stops when it is asked without waiting, and is there again afterwards")
    func interrupted() async throws {
        let cluster = PrivateCluster(directory: try directory(), settings: .throwaway)
        cluster.interrupt()
        _ = try await cluster.start()
        let data = try #require(cluster.location).dataDirectory
        let server = try #require(Postmaster.running(in: data))
        cluster.interrupt()
        _ = Subprocess.wait(for: server.processID)
        #expect(try cluster.running() == nil)
        #expect(try await cluster.revive())
        try await cluster.stop()
    }

    @Test("a start that is cancelled throws, and leaves nothing running")
    func cancelled() async throws {
        let directory = try directory()
        let cluster = PrivateCluster(directory: directory, settings: .throwaway)
        let starting = Task { try await cluster.start() }
        starting.cancel()
        await #expect(throws: ClusterError.self) { try await starting.value }
        #expect(try cluster.running() == nil)
        #expect(!FileAccess.exists(directory + "/postgres.partial"))
        let next = PrivateCluster(directory: directory, settings: .throwaway)
        _ = try await next.start()
        try await next.stop()
    }

    @Test("works in a directory whose name has a space and a quote")
    func strangeName() async throws {
        let cluster = PrivateCluster(directory: try directory("a b's"), settings: .throwaway)
        let text = try await cluster.start().description
        let again = try StoreConfiguration(url: text)
        try await withDatabase(again) { database in try await database.script("SELECT 1") }
        try await cluster.stop()
    }

    @Test("refuses a second owner with its process number, and serves readers")
    func inUse() async throws {
        let directory = try directory()
        let owner = PrivateCluster(directory: directory, settings: .throwaway)
        _ = try await owner.start()
        let second = PrivateCluster(directory: directory, settings: .throwaway)
        let error = await #expect(throws: ClusterError.self) { try await second.start() }
        guard case .inUse(directory, getpid()) = error else { throw Unexpected() }
        let configuration = try #require(try second.running())
        try await withDatabase(configuration) { database in try await database.script("SELECT 1") }
        try await owner.stop()
    }

    @Test("takes over a server that an earlier program left running")
    func takeOver() async throws {
        let directory = try directory()
        var left: PrivateCluster? = PrivateCluster(directory: directory, settings: .throwaway)
        let first = try #require(try await left?.start())
        let process = try await withDatabase(first) { database in try await database.first(PostmasterStart())
        }
        // Dropping it gives the lock back, as the end of a process would; the server goes on.
        left = nil
        let cluster = PrivateCluster(directory: directory, settings: .throwaway)
        let second = try await cluster.start()
        let again = try await withDatabase(second) { database in try await database.first(PostmasterStart()) }
        #expect(process == again)
        try await cluster.stop()
        #expect(try cluster.running() == nil)
    }

    @Test("starts again after every server process was killed, with what was committed")
    func crash() async throws {
        let directory = try directory()
        let cluster = PrivateCluster(directory: directory, settings: .durable)
        try await withDatabase(try await cluster.start()) { database in
            try await database.script(itemTable + "; INSERT INTO item VALUES (1, 'kept')")
        }
        let location = try #require(cluster.location)
        let postmaster = try #require(Postmaster.running(in: location.dataDirectory))
        kill(postmaster.processID, SIGKILL)
        _ = Subprocess.wait(for: postmaster.processID)
        #expect(try cluster.running() == nil)
        try await cluster.stop()
        let items = try await withDatabase(try await cluster.start()) { database in
            try await database.rows(Items())
        }
        #expect(items == [1])
        try await cluster.stop()
    }

    @Test("an interrupted initdb leaves nothing in the way")
    func interruptedInitialization() async throws {
        let directory = try directory()
        try FileAccess.makeDirectories(directory + "/postgres.partial/base")
        try FileAccess.write("15\n", to: directory + "/postgres.partial/PG_VERSION")
        let cluster = PrivateCluster(directory: directory, settings: .throwaway)
        _ = try await cluster.start()
        try await cluster.stop()
        #expect(!FileAccess.exists(directory + "/postgres.partial"))
    }

    @Test("an old process file whose number belongs to another program is no running server")
    func reusedProcessNumber() async throws {
        let cluster = PrivateCluster(directory: try directory(), settings: .throwaway)
        _ = try await cluster.start()
        let data = try #require(cluster.location?.dataDirectory)
        try await cluster.stop()
        try FileAccess.write("\(getpid())\n\(data)\n0\n5432\n\(data)\n", to: data + "/postmaster.pid")
        #expect(try cluster.running() == nil)
        _ = try await cluster.start()
        try await cluster.stop()
    }

    @Test("locks that name a living process of the same user do not keep the server from starting")
    func lockOfAnotherProcess() async throws {
        let other = PrivateCluster(directory: try directory("other"), settings: .throwaway)
        _ = try await other.start()
        let otherData = try #require(other.location).dataDirectory
        let living = try #require(Postmaster.running(in: otherData))
        let cluster = PrivateCluster(directory: try directory(), settings: .throwaway)
        _ = try await cluster.start()
        let location = try #require(cluster.location)
        try await cluster.stop()
        let lock = "\(living.processID)\n\(location.dataDirectory)\n0\n5432\n"
        let socket = "\(location.socketDirectory)/.s.PGSQL.\(PrivateCluster.port).lock"
        for file in [location.dataDirectory + "/postmaster.pid", socket] {
            try FileAccess.write(lock, to: file)
            _ = try await cluster.start()
            try await cluster.stop()
        }
        try await other.stop()
    }

    @Test("a path that no socket can have gets a short one elsewhere; quotes and spaces do no harm")
    func awkwardPaths() async throws {
        let names = [(String(repeating: "x", count: 100), true), ("a, b", true), ("it's \"my\" data", false)]
        for (name, isElsewhere) in names {
            let cluster = PrivateCluster(directory: try directory(name), settings: .throwaway)
            let configuration = try await cluster.start()
            let location = try #require(cluster.location)
            #expect(location.socketDirectory.utf8.count < 90)
            #expect(location.needsOwnSocketDirectory == isElsewhere)
            try await withDatabase(configuration) { database in try await database.script("SELECT 1") }
            try await cluster.stop()
            if location.needsOwnSocketDirectory { rmdir(location.socketDirectory) }
        }
    }

    @Test("a short socket directory that somebody else put there is refused", .enabled(if: geteuid() == 0))
    func foreignSocketDirectory() async throws {
        let directory = try directory(String(repeating: "y", count: 100))
        try FileAccess.makeDirectories(directory)
        let location = ClusterLocation(
            dataDirectory: FileAccess.resolved(directory) + "/postgres", isElsewhere: false)
        mkdir(location.socketDirectory, 0o777)
        defer { rmdir(location.socketDirectory) }
        chown(location.socketDirectory, 65_534, 65_534)
        let cluster = PrivateCluster(directory: directory, settings: .throwaway)
        let error = await #expect(throws: ClusterError.self) { try await cluster.start() }
        guard case .directory(location.socketDirectory, "belongs to another user") = error else {
            throw Unexpected()
        }
    }

    @Test(
        "as root it runs as postgres, and elsewhere when postgres cannot reach the directory",
        .enabled(if: geteuid() == 0))
    func root() async throws {
        let closed = try TestDatabase.temporaryDirectory()
        chmod(closed, 0o700)
        let other = try TestDatabase.temporaryDirectory()
        let cluster = PrivateCluster(directory: closed + "/data", settings: .throwaway, otherDirectory: other)
        let configuration = try await cluster.start()
        let location = try #require(cluster.location)
        #expect(location.isElsewhere)
        #expect(location.dataDirectory.hasPrefix(other + "/"))
        #expect(FileAccess.owner(location.dataDirectory)?.user == getpwnam("postgres").pointee.pw_uid)
        try await withDatabase(configuration) { database in try await database.script(itemTable) }
        try await cluster.stop()
        // The second start finds the place again.
        let again = PrivateCluster(directory: closed + "/data", settings: .throwaway, otherDirectory: other)
        let count = try await withDatabase(try await again.start()) { database in
            try await database.first(Count())
        }
        #expect(count == 0)
        try await again.stop()
    }

    @Test("as root an existing cluster runs as its owner", .enabled(if: geteuid() == 0))
    func rootWithForeignCluster() async throws {
        let directory = try directory()
        let data = directory + "/postgres"
        try FileAccess.makeDirectories(data, mode: 0o700)
        chown(data, 65_534, 65_534)
        let cluster = PrivateCluster(directory: directory, settings: .throwaway)
        _ = try await cluster.start()
        #expect(FileAccess.owner(data + "/PG_VERSION")?.user == 65_534)
        try await cluster.stop()
    }

    @Test("a data directory of a version that is not installed names the package")
    func version() async throws {
        let directory = try directory()
        let user = try ClusterUser.forCluster(in: directory + "/postgres")
        try user.makePrivateDirectory(directory + "/postgres")
        try FileAccess.write("9\n", to: directory + "/postgres/PG_VERSION")
        let cluster = PrivateCluster(directory: directory, settings: .throwaway)
        let error = await #expect(throws: ClusterError.self) { try await cluster.start() }
        guard case .versionMissing(9, _) = error else { throw Unexpected() }
        #expect(error?.description.contains("apt-get install postgresql-9") == true)
    }

    @Test("a server that refuses its configuration is one line that names the log")
    func refused() async throws {
        let cluster = PrivateCluster(directory: try directory(), settings: .throwaway)
        _ = try await cluster.start()
        let location = try #require(cluster.location)
        try await cluster.stop()
        let file = location.dataDirectory + "/postgresql.conf"
        let text = try #require(FileAccess.text(file, limit: 1 << 20))
        try FileAccess.write(text + "\nno_such_setting = 1\n", to: file)
        let error = await #expect(throws: ClusterError.self) { try await cluster.start() }
        guard case .startFailed(let detail, location.logFile) = error else { throw Unexpected() }
        #expect(detail.contains("FATAL") && !detail.contains("\n"))
    }

    @Test("a directory that cannot be made is named with the reason")
    func noDirectory() async throws {
        let cluster = PrivateCluster(directory: "/proc/none/data", settings: .throwaway)
        let error = await #expect(throws: ClusterError.self) { try await cluster.start() }
        guard case .directory("/proc/none", _) = error else { throw Unexpected() }
    }
}

private struct Listening: Statement {
    static let sql = "SELECT current_setting('listen_addresses')"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

private struct PostmasterStart: Statement {
    static let sql = "SELECT pg_postmaster_start_time()"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.timestamp() }
}
