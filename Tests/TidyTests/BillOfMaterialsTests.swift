import Foundation
import Support
import Testing

/// `scripts/sbom.py` with lists and trees of packages that are written for it.
@Suite("The bill of materials")
struct BillOfMaterialsTests {
    private static let list = """
        # a comment
        apple/swift-nio | 2.1.0 | Apache-2.0 | directly | sockets
        apple/swift-atomics | 1.3.0 | MIT | swift-nio | counters

        """

    private static let resolved = tree([
        package("apple/swift-nio", "2.1.0", [package("apple/swift-atomics.git", "1.3.0")])
    ])

    private static func tree(_ packages: [String]) -> String {
        #"{"identity": "bitpal", "dependencies": [\#(packages.joined(separator: ","))]}"#
    }

    private static func package(_ path: String, _ version: String, _ needs: [String] = []) -> String {
        let identity = path.split(separator: "/")[1].replacing(".git", with: "")
        return #"{"identity": "\#(identity)", "url": "https://github.com/\#(path)", "#
            + #""version": "\#(version)", "dependencies": [\#(needs.joined(separator: ","))]}"#
    }

    @Test("names every package with version, licence and what it needs, and its own version")
    func names() async throws {
        let run = try await Run(list: Self.list, resolved: Self.resolved)
        #expect(run.status == 0, "\(run.errors)")
        let document = try run.document()
        #expect(document["bomFormat"] as? String == "CycloneDX")
        #expect(document["specVersion"] as? String == "1.5")
        let components = try #require(document["components"] as? [[String: Any]])
        let atomics = try #require(components.first { $0["name"] as? String == "swift-atomics" })
        #expect(atomics["purl"] as? String == "pkg:swift/github.com/apple/swift-atomics@1.3.0")
        #expect((atomics["licenses"] as? [[String: String]])?.first?["expression"] == "MIT")
        let libraries = ["libpq-dev", "lightweight-charts"]
        #expect(libraries.allSatisfy { name in components.contains { $0["name"] as? String == name } })
        let needs = try #require(document["dependencies"] as? [[String: Any]])
        let nio = needs.first { ($0["ref"] as? String)?.contains("swift-nio@") == true }
        #expect(nio?["dependsOn"] as? [String] == ["pkg:swift/github.com/apple/swift-atomics@1.3.0"])
        let metadata = try #require(document["metadata"] as? [String: Any])
        #expect((metadata["component"] as? [String: Any])?["version"] as? String == VersionText.current)
        #expect(metadata["timestamp"] == nil)
    }

    @Test("is the same bytes each time, and other ones for another content or moment")
    func isTheSame() async throws {
        let first = try await Run(list: Self.list, resolved: Self.resolved)
        let again = try await Run(list: Self.list, resolved: Self.resolved)
        #expect(try first.bytes() == again.bytes())
        let later = try await Run(
            list: Self.list, resolved: Self.resolved, environment: ["SOURCE_DATE_EPOCH": "86400"])
        #expect(
            (try later.document()["metadata"] as? [String: Any])?["timestamp"] as? String
                == "1970-01-02T00:00:00Z")
        let other = try await Run(
            list: Self.list.replacing("MIT", with: "ISC"), resolved: Self.resolved)
        let serials = try [first, later, other].map { try $0.document()["serialNumber"] as? String ?? "" }
        #expect(Set(serials).count == 3 && serials.allSatisfy { $0.hasPrefix("urn:uuid:") })
    }

    @Test(
        "fails with a line for what is not as the list says, and writes nothing",
        arguments: [
            (
                package("apple/swift-nio", "2.2.0", [package("apple/swift-atomics", "1.3.0")]),
                "2.2.0 was resolved"
            ),
            (
                package("apple/swift-nio", "2.1.0"),
                "apple/swift-atomics is in dependencies.txt and was not resolved"
            ),
            (
                package(
                    "apple/swift-nio", "2.1.0",
                    [package("apple/swift-atomics", "1.3.0"), package("a/new", "9.0.0")]),
                "a/new 9.0.0 was resolved and is not in dependencies.txt"
            ),
            (
                package("apple/swift-nio", "2.1.0", [package("b/swift-atomics", "1.3.0")]),
                "apple/swift-atomics comes from b/swift-atomics"
            ),
            (
                package("apple/swift-nio", "2.1.0") + "," + package("apple/swift-atomics", "1.3.0"),
                "apple/swift-atomics comes through swift-nio by dependencies.txt, and Package.swift names it"
            ),
        ])
    func fails(packages: String, words: String) async throws {
        let run = try await Run(list: Self.list, resolved: Self.tree([packages]))
        #expect(run.status == 1)
        #expect(run.errors.contains("error: ") && run.errors.contains(words), "\(run.errors)")
        #expect(run.files == ["list.txt", "resolved.json"])
    }

    @Test(
        "refuses a list or a tree that it cannot read", arguments: ["apple/swift-nio | 2.1.0", "", "twice"])
    func refuses(_ line: String) async throws {
        let list = line == "twice" ? Self.list + Self.list : Self.list + line + "\n"
        let run = try await Run(list: list, resolved: line.isEmpty ? "no tree" : Self.resolved)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("error: ") && !run.errors.contains("Traceback"), "\(run.errors)")
    }
}

/// One run of the script, over.
private struct Run {
    let status: Int32
    let errors: String
    private let folder: URL

    init(list: String, resolved: String, environment: [String: String] = [:]) async throws {
        folder = URL(fileURLWithPath: try TestDatabase.temporaryDirectory())
        let files = ["list.txt": list, "resolved.json": resolved]
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let child = try ChildProcess(
            "/usr/bin/python3",
            arguments: [
                SourceTree.packageRoot.appending(path: "scripts/sbom.py").path,
                "--list", folder.appending(path: "list.txt").path,
                "--resolved", folder.appending(path: "resolved.json").path,
                "--output", folder.appending(path: "sbom.json").path,
            ], environment: environment, folder: try TestDatabase.temporaryDirectory())
        status = await child.exitStatus()
        errors = child.errors
    }

    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    func bytes() throws -> Data { try Data(contentsOf: folder.appending(path: "sbom.json")) }

    func document() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: bytes()) as? [String: Any])
    }
}
