import Foundation
import Support
import Testing

@testable import Store

/// What `services/backup/WAL.md` describes, done with the server of this machine.
@Suite("WAL archiving", .timeLimit(.minutes(10)))
struct WALArchiveTests {
    private let folder: String
    private let user: ClusterUser

    init() throws {
        folder = try TestDatabase.temporaryDirectory()
        user = try ClusterUser.forCluster(in: folder + "/lost/postgres")
    }

    /// What the page says.
    private static func page() throws -> String {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "services/backup/WAL.md")
        return try String(contentsOf: page, encoding: .utf8)
    }

    /// The lines of configuration that the page tells to write, first for archiving and then for recovery.
    private static func pieces() throws -> [String] {
        try page().matches(of: /```conf\n([^`]*)```/).map { String($0.1) }
    }

    /// Where the page has the log archived, and base backups.
    private static let places = (
        archive: "/var/lib/postgresql/archive", base: "/var/lib/postgresql/base",
        data: "/var/lib/postgresql/data"
    )

    /// Writes to a server's configuration as its own user would.
    private func configure(_ data: String, _ text: String) throws {
        let lines = text.replacing(Self.places.archive, with: folder + "/archive")
        let append = "printf '\n%s' \"$2\" >>\"$1/postgresql.conf\""
        try run(user.prefix + ["/bin/sh", "-c", append, "sh", data, lines])
    }

    private func run(_ command: [String]) throws {
        let outcome = try Subprocess.run(command, limit: .seconds(120))
        try #require(outcome.status == 0, "\(command): \(outcome.output)")
    }

    private func use<Value: Sendable>(
        _ configuration: StoreConfiguration, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        try await Database.use(configuration, logger: TestDatabase.logger, body)
    }

    private func text(_ sql: String, _ database: Database) async throws -> String {
        let found = try await database.withSession { session in
            var found: [String] = []
            try session.rows(sql: sql) { (row) throws(StoreError) in found.append(try row.text()) }
            return found
        }
        return try #require(found.first)
    }

    private func takeBaseBackup(of cluster: PrivateCluster) throws {
        let location = try #require(cluster.location)
        let installation = try PostgresInstallation.find(for: location.dataDirectory)
        // Whoever starts the server writes its log, beside the data that are copied.
        try run(["/bin/chmod", "a+r", location.logFile])
        let told = try #require(try Self.page().firstMatch(of: /pg_basebackup (--.*)/)?.1)
        let words = told.replacing(Self.places.base, with: folder + "/base").split(separator: " ")
        try run(
            user.prefix + [installation.binaries + "/pg_basebackup"] + words.map(String.init) + [
                "--host=\(location.socketDirectory)", "--port=\(PrivateCluster.port)",
            ])
    }

    /// Puts the base backup in the place of what is lost by the script of the page, in the folder that stands
    /// for the one of the image.
    private func putBack(_ recovery: String) throws {
        let script = try #require(try Self.page().firstMatch(of: /sh -ec '\n([^']*)'/)?.1)
        let lines = script.replacing("cd /var/lib/postgresql\n", with: "cd \"$1\"\n")
            .replacing("data", with: "lost/postgres")
        let fed = "printf '\n%s' \"$2\" | {\n\(lines)\n}"
        let text = recovery.replacing(Self.places.archive, with: folder + "/archive")
        try run(user.prefix + ["/bin/sh", "-ec", fed, "sh", folder, text])
    }

    @Test("mounts in docker-compose what its lines speak of, and leaves what recovery turns off to the file")
    func compose() throws {
        let page = try Self.page()
        let override = try #require(page.firstMatch(of: /```yaml\n([^`]*)```/)?.1)
        #expect(override.contains(":\(Self.places.archive)\n") && override.contains(":\(Self.places.base)\n"))
        #expect(!override.contains("command:"))
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let compose = try String(contentsOf: root.appending(path: "docker-compose.yml"), encoding: .utf8)
        let server = try #require(compose.firstMatch(of: /(?s)\n  postgres:\n(.*?)\n\n/)?.1)
        #expect(server.contains("database:\(Self.places.data)") && !server.contains("command:"))
        #expect(server.contains("POSTGRES_USER: \(PrivateCluster.name)"))
    }

    @Test("brings back what was committed after the base backup, up to a moment and not further")
    func pointInTime() async throws {
        let pieces = try Self.pieces()
        try #require(pieces.count == 2)
        for place in ["/archive", "/base"] { try user.makePrivateDirectory(folder + place) }
        let lost = PrivateCluster(directory: folder + "/lost", settings: .durable)
        _ = try await lost.start()
        let location = try #require(lost.location)
        try await lost.stop()
        // Where the script of the page finds it.
        try #require(location.dataDirectory == FileAccess.resolved(folder) + "/lost/postgres")
        try configure(location.dataDirectory, pieces[0])
        let configuration = try await lost.start()
        let moment = try await use(configuration) { database in
            try await database.script(itemTable)
            try await database.script("INSERT INTO item VALUES (1, 'before the base backup')")
            try takeBaseBackup(of: lost)
            try await database.script("INSERT INTO item VALUES (2, 'after it')")
            let moment = try await text("SELECT clock_timestamp()::text", database)
            try await database.script("INSERT INTO item VALUES (3, 'a mistake')")
            let segment = try await text("SELECT pg_walfile_name(pg_switch_wal())", database)
            try await eventually {
                try await text(
                    "SELECT (coalesce(last_archived_wal, '') >= '\(segment)')::text FROM pg_stat_archiver",
                    database) == "true"
            }
            return moment
        }
        try await lost.stop()

        try putBack(pieces[1].replacing("2026-11-27 03:04:05+00", with: moment))
        try await use(try await lost.start()) { database in
            // It takes readers before it is there.
            try await eventually {
                try await text("SELECT pg_is_in_recovery()::text", database) == "false"
            }
            #expect(try await database.rows(Items()) == [1, 2])
            try await database.script("INSERT INTO item VALUES (4, 'goes on')")
            #expect(try await database.rows(Items()) == [1, 2, 4])
        }
        try await lost.stop()
    }

    @Test("is what the base backup alone does not do: without the archive there is no server")
    func withoutArchive() async throws {
        let pieces = try Self.pieces()
        try #require(pieces.count == 2)
        for place in ["/archive", "/base"] { try user.makePrivateDirectory(folder + place) }
        let lost = PrivateCluster(directory: folder + "/lost", settings: .throwaway)
        _ = try await lost.start()
        try takeBaseBackup(of: lost)
        try await lost.stop()
        try putBack(pieces[1])
        let error = await #expect(throws: ClusterError.self) { try await lost.start() }
        guard case .startFailed = error else { throw PropertyFailure("\(String(describing: error))") }
    }
}
