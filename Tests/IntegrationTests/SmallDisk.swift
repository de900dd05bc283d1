import Foundation
import Store
import Support

/// A disk of a few MiB in memory, on which a PostgreSQL of one's own keeps what is stored from now on; its
/// log and its catalogue stay where they are, as without room for those there is no server at all.
final class SmallDisk {
    /// Whether anybody may mount here.
    static var isAllowed: Bool { MountedFile.isAllowed }

    /// Where it is mounted.
    let path: String
    private var filler: String { path + "/filler" }

    /// Makes the disk, and a tablespace on it that everything new of a cluster's database goes to.
    init(mebibytes: Int, of cluster: PrivateCluster, _ database: Database) async throws {
        guard let data = cluster.location?.dataDirectory else { throw PropertyFailure("no cluster") }
        // Beside the data, where the server's user gets to.
        path = URL(filePath: data).deletingLastPathComponent().path(percentEncoded: false) + "small-disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await Self.run("mount", ["-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=0755", "tmpfs", path])
        do {
            var status = stat()
            let space = path + "/space"
            try FileManager.default.createDirectory(atPath: space, withIntermediateDirectories: true)
            guard stat(data, &status) == 0, chown(space, status.st_uid, status.st_gid) == 0,
                chmod(space, 0o700) == 0
            else { throw PropertyFailure("\(space) cannot be given away") }
            let statements = [
                "CREATE TABLESPACE small LOCATION '\(space)'",
                """
                DO $$ BEGIN
                    EXECUTE format('ALTER DATABASE %I SET default_tablespace = small', current_database());
                END $$
                """,
            ]
            for statement in statements {
                try await database.withSession { try $0.script(statement) }
            }
        } catch {
            await unmount()
            throw error
        }
    }

    /// Fills it but for so many MiB.
    func fill(leaving mebibytes: Int) throws {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PropertyFailure(filler) }
        defer { close(file) }
        // A page at a time: not a byte is left then that a table could take.
        let page = [UInt8](repeating: 1, count: 4_096)
        while try free() > mebibytes << 20 {
            guard write(file, page, page.count) == page.count else { break }
        }
    }

    /// Makes room.
    func clear() throws { try FileManager.default.removeItem(atPath: filler) }

    private func free() throws -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw PropertyFailure(path) }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// Gives it back, whoever has a file open there.
    func unmount() async { try? await Self.run("umount", ["-l", path]) }

    private static func run(_ command: String, _ arguments: [String]) async throws {
        let process = try ChildProcess(
            "/bin/\(command)", arguments: arguments, folder: try TestDatabase.temporaryDirectory())
        guard await process.exitStatus() == 0 else { throw PropertyFailure(process.errors) }
    }
}
