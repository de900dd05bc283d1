import Foundation
import Testing

@Suite("What comes from outside")
struct SupplyTextTests {
    private let manifest = #"""
            .package(url: "https://github.com/apple/swift-nio", exact: "2.1.0"),
            .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
        """#

    @Test("is what Package.swift names and dependencies.txt lists as coming directly")
    func isNamed() {
        #expect(DependencyText.named(in: manifest) == ["apple/swift-nio 2.1.0", "vapor/jwt-kit 5.7.1"])
        let list = """
            # owner/name | version | licence | directly | what for
            apple/swift-nio | 2.1.0 | Apache-2.0 | directly | sockets
            apple/swift-asn1 | 1.7.4 | Apache-2.0 | jwt-kit | keys
            """
        #expect(DependencyText.direct(in: list) == ["apple/swift-nio 2.1.0"])
    }

    @Test("is refused in both directions when the two differ")
    func differs() {
        let list = "apple/swift-nio | 2.0.9 | Apache-2.0 | directly | sockets\n"
        let tree = SourceTree(files: [
            SourceText(path: "Package.swift", text: manifest),
            SourceText(path: "dependencies.txt", text: list),
        ])
        #expect(
            SupplyRules.dependencyList.violations(in: tree) == [
                Violation("Package.swift", "apple/swift-nio 2.1.0 is not listed"),
                Violation("Package.swift", "vapor/jwt-kit 5.7.1 is not listed"),
                Violation("dependencies.txt", "apple/swift-nio 2.0.9 is not named"),
            ])
    }

    @Test("is found in this package: dependencies, images and the version")
    func isFound() throws {
        let named = DependencyText.named(in: try Self.read("Package.swift"))
        #expect(named.count >= 10)
        #expect(named == DependencyText.direct(in: try Self.read("dependencies.txt")))
        let images = try ["Dockerfile", "docker-compose.yml"].flatMap {
            try ImageText.bases(in: Self.read($0))
        }
        .map(\.text)
        let names = images.map { $0.prefix { $0 != ":" } }.sorted()
        #expect(names == ["debian", "postgres", "prom/prometheus", "swift"])
        #expect(VersionText.current != "")
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.packageRoot.appending(path: path), encoding: .utf8)
    }
}
