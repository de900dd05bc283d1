import Foundation
import Support
import Testing

/// `scripts/images.py` beside a `docker` that answers as a test wants.
@Suite("The digests of base images")
struct ImageDigestTests {
    private static let digest = "sha256:" + String(repeating: "ab", count: 32)
    private static let moved = "sha256:" + String(repeating: "cd", count: 32)

    /// A registry that answers with one digest for everything but one project.
    private static func registry(_ digest: String, refusing project: String = "none") -> String {
        """
        case "$*" in
        "buildx imagetools inspect \(project):"*) echo 'ERROR: no such host' >&2; exit 1 ;;
        "buildx imagetools inspect "*) printf 'Name: %s\\nDigest:    \(digest)\\n' "$4" ;;
        *) echo 'Cannot connect to the Docker daemon' >&2; exit 1 ;;
        esac
        """
    }

    private static let engine = """
        case "$1 $2" in
        "pull --quiet") echo "$3" ;;
        "image inspect") echo "some/name@\(digest)" ;;
        *) echo "docker: unknown command: docker $1" >&2; exit 1 ;;
        esac
        """

    @Test("are written for every base image", arguments: [registry(digest), engine])
    func areWritten(_ docker: String) async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let (status, output) = try await Self.run(docker, in: folder)
        #expect(status == 0, "\(output)")
        let lines = try Self.written(in: folder).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.map { $0.prefix { $0 != ":" } } == ["debian", "postgres", "prom/prometheus", "swift"])
        #expect(lines.allSatisfy { $0.hasSuffix(" \(Self.digest)") })
    }

    @Test("are left as they were when one image is not reached, and the reason is said")
    func areLeft() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let (status, output) = try await Self.run(
            Self.registry(Self.digest, refusing: "postgres"), in: folder)
        #expect(status == 1)
        #expect(output.contains("error: postgres:") && output.contains("Cannot connect to the Docker daemon"))
        #expect(throws: (any Error).self) { try Self.written(in: folder) }
        _ = try await Self.run(Self.registry(Self.digest), in: folder)
        let before = try Self.written(in: folder)
        _ = try await Self.run(Self.registry(Self.moved, refusing: "swift"), in: folder)
        #expect(try Self.written(in: folder) == before)
    }

    @Test("that lead elsewhere than before are named")
    func areNamed() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        _ = try await Self.run(Self.registry(Self.digest), in: folder)
        let (status, output) = try await Self.run(Self.registry(Self.moved), in: folder)
        #expect(status == 0)
        #expect(output.contains("was \(Self.digest) and is \(Self.moved) now"))
        #expect(try Self.written(in: folder).contains(Self.moved))
    }

    private static func run(_ docker: String, in folder: String) async throws -> (Int32, String) {
        let program = URL(fileURLWithPath: "\(folder)/bin/docker")
        try FileManager.default.createDirectory(
            at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(docker)\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let child = try ChildProcess(
            "/usr/bin/python3",
            arguments: [
                SourceTree.packageRoot.appending(path: "scripts/images.py").path,
                "--output", "\(folder)/images.txt",
            ], environment: ["PATH": "\(folder)/bin:/usr/bin:/bin"], folder: folder)
        let status = await child.exitStatus()
        return (status, child.output + child.errors)
    }

    private static func written(in folder: String) throws -> String {
        try String(contentsOfFile: "\(folder)/images.txt", encoding: .utf8)
    }
}
