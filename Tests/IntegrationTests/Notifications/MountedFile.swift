import Foundation
import Support

/// A file that programs see mounted alone at another place, as containers see their secrets.
struct MountedFile {
    /// Whether anybody may mount here.
    static let isAllowed: Bool = {
        let attempt = Process()
        attempt.executableURL = URL(filePath: unshare)
        attempt.arguments = ["-m", "/bin/true"]
        attempt.standardError = FileHandle.nullDevice
        guard (try? attempt.run()) != nil else { return false }
        attempt.waitUntilExit()
        return attempt.terminationStatus == 0
    }()

    /// Where programs see it.
    let path: String
    private let source: String
    private static let unshare = "/usr/bin/unshare"

    init(_ source: String) throws {
        self.source = source
        path = try TestDatabase.temporaryDirectory() + "/mounted"
        guard FileManager.default.createFile(atPath: path, contents: nil) else { throw PropertyFailure(path) }
    }

    /// Starts an executable of the build with the file mounted for it, and for it alone.
    func start(
        _ name: String, arguments: [String] = [], environment: [String: String], folder: String
    ) throws -> ChildProcess {
        let executable = ChildProcess.products.appendingPathComponent(name).path
        let script = #"mount --bind "$1" "$2" && shift 2 && exec "$@""#
        return try ChildProcess(
            Self.unshare,
            arguments: ["-m", "/bin/sh", "-c", script, "sh", source, path, executable] + arguments,
            environment: environment, folder: folder)
    }
}
