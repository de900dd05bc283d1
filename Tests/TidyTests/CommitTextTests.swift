import Foundation
import Support
import Testing

/// `scripts/commit.sh` in repositories that are made for it.
@Suite("The text of a commit")
struct CommitTextTests {
    /// A script in a repository with one commit, of the last second of a day in UTC.
    private static let setUp = """
        set -e; mkdir scripts Sources; cp "$1" scripts/commit.sh; echo 1 >Sources/a
        git init --quiet .; git add .
        export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a
        export GIT_COMMITTER_EMAIL=a@example.org GIT_COMMITTER_DATE='2026-11-27T00:59:59+01:00'
        git commit --quiet --message one
        """

    @Test("is its hash and its day in UTC")
    func isHashAndDay() async throws {
        let said = try await Self.say(Self.setUp + "\nscripts/commit.sh; git rev-parse HEAD")
        let lines = said.split(separator: "\n")
        try #require(lines.count == 2, "\(said)")
        #expect(lines[0] == "\(lines[1].prefix(7)), 2026-11-26")
    }

    @Test(
        "says that sources are not as they were committed",
        arguments: ["echo 2 >Sources/a", "echo >Sources/b"])
    func saysChanges(_ change: String) async throws {
        let said = try await Self.say(
            Self.setUp + "\necho >notes; scripts/commit.sh; " + change + "; scripts/commit.sh")
        let lines = said.split(separator: "\n")
        try #require(lines.count == 2, "\(said)")
        #expect(lines[1] == lines[0].replacing(",", with: " with changes,"))
    }

    @Test(
        "is nothing where the sources are no repository, or lie in somebody else's",
        arguments: ["rm -rf .git; scripts/commit.sh", "mkdir in; cp -r scripts in/; in/scripts/commit.sh"])
    func isNothing(_ commands: String) async throws {
        #expect(try await Self.say(Self.setUp + "\n" + commands + "; echo end") == "end\n")
    }

    private static func say(_ commands: String) async throws -> String {
        let folder = try TestDatabase.temporaryDirectory()
        let script = SourceTree.packageRoot.appending(path: "scripts/commit.sh").path
        let child = try ChildProcess(
            "/bin/sh", arguments: ["-c", "cd \"$2\"\n" + commands, "sh", script, folder],
            environment: ["HOME": folder, "GIT_CEILING_DIRECTORIES": "/tmp"],
            folder: try TestDatabase.temporaryDirectory())
        #expect(await child.exitStatus() == 0, "\(child.errors)")
        return child.output
    }
}
