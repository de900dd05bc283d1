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

    /// The lines of configuration that the page tells to write, first for archiving and then for recovery.
    private static func pieces() throws -> [String] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "services/backup/WAL.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.matches(of: /```conf\n([^`]*)```/).map { String($0.1) }
    }

    /// Writes to a server's configuration as its own user would.
    private func configure(_ data: String, _ text: String, _ archive: String) throws {
        let lines = text.replacing("/var/lib/postgresql/archive", with: archive)
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

    private func takeBaseBackup(of cluster: PrivateCluster, into base: String) throws {
        let location = try #require(cluster.location)
        let installation = try PostgresInstallation.find(for: location.dataDirectory)
        try FileAccess.makeDirectories(FileAccess.parent(of: base))
        try user.makePrivateDirectory(base)
        // Whoever starts the server writes its log, beside the data that are copied.
        try run(["/bin/chmod", "a+r", location.logFile])
        try run(
            user.prefix + [
                installation.binaries + "/pg_basebackup", "--pgdata=\(base)", "--checkpoint=fast",
                "--wal-method=none", "--host=\(location.socketDirectory)", "--port=\(PrivateCluster.port)",
                "--username=\(PrivateCluster.name)",
            ])
    }

    @Test("brings back what was committed after the base backup, up to a moment and not further")
    func pointInTime() async throws {
        let pieces = try Self.pieces()
        try #require(pieces.count == 2)
        let archive = folder + "/archive"
        try user.makePrivateDirectory(archive)
        let lost = PrivateCluster(directory: folder + "/lost", settings: .durable)
        _ = try await lost.start()
        let location = try #require(lost.location)
        try await lost.stop()
        try configure(location.dataDirectory, pieces[0], archive)
        let configuration = try await lost.start()
        let base = folder + "/back/postgres"
        let moment = try await use(configuration) { database in
            try await database.script(itemTable)
            try await database.script("INSERT INTO item VALUES (1, 'before the base backup')")
            try takeBaseBackup(of: lost, into: base)
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

        let recovery = pieces[1].replacing("2026-11-27 03:04:05+00", with: moment)
        try configure(base, recovery, archive)
        try run(user.prefix + ["/usr/bin/touch", base + "/recovery.signal"])
        let back = PrivateCluster(directory: folder + "/back", settings: .durable)
        try await use(try await back.start()) { database in
            // It takes readers before it is there.
            try await eventually {
                try await text("SELECT pg_is_in_recovery()::text", database) == "false"
            }
            #expect(try await database.rows(Items()) == [1, 2])
            try await database.script("INSERT INTO item VALUES (4, 'goes on')")
            #expect(try await database.rows(Items()) == [1, 2, 4])
        }
        try await back.stop()
    }

    @Test("is what the base backup alone does not do: without the archive there is no server")
    func withoutArchive() async throws {
        let pieces = try Self.pieces()
        try #require(pieces.count == 2)
        let archive = folder + "/archive"
        try user.makePrivateDirectory(archive)
        let lost = PrivateCluster(directory: folder + "/lost", settings: .throwaway)
        _ = try await lost.start()
        let base = folder + "/back/postgres"
        try takeBaseBackup(of: lost, into: base)
        try await lost.stop()
        try configure(base, pieces[1], archive)
        try run(user.prefix + ["/usr/bin/touch", base + "/recovery.signal"])
        let back = PrivateCluster(directory: folder + "/back", settings: .throwaway)
        let error = await #expect(throws: ClusterError.self) { try await back.start() }
        guard case .startFailed = error else { throw PropertyFailure("\(String(describing: error))") }
    }
}
