import Foundation
import Support
import Testing

@Suite("The version of a program")
struct ProgramVersionTests {
    @Test(
        "is one line with the release and the commit that it was built of",
        arguments: ["bitpal", "bus-broker", "gateway"])
    func isSaid(_ program: String) async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let child = try ChildProcess(program, arguments: ["--version"], folder: folder)
        #expect(await child.exitStatus() == 0)
        #expect(child.errors == "")
        let form = try Regex(
            #"(\S+) \d+\.\d+\.\d+ \((unknown commit|[0-9a-f]{7,40}( with changes)?, \d{4}-\d\d-\d\d)\)\n"#)
        let said = try #require(try form.wholeMatch(in: child.output), "\(child.output)")
        #expect(said[1].substring == program[...])
        let commit = try await Self.commit(in: folder)
        #expect((said[2].substring == "unknown commit") == commit.isEmpty)
    }

    /// What the sources say, in which something may have changed since the build: empty without git.
    private static func commit(in folder: String) async throws -> String {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "scripts/commit.sh")
        let child = try ChildProcess(script.path, folder: folder)
        #expect(await child.exitStatus() == 0)
        return child.output
    }
}
