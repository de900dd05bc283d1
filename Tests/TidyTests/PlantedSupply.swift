/// Violations of ``SupplyRules``, and lines that only look like one.
enum PlantedSupply {
    static let all: [Planted] = dependencies + images + versions

    private static let dependencies: [Planted] =
        Planted.cases(
            SupplyRules.exactDependency, in: "Package.swift",
            [
                #".package(url: "https://github.com/a/b", exact: "1.2.3"),"#: [],
                #"let nio = .product(name: "NIOCore", package: "swift-nio")"#: [],
                "\n" + #"    .package(url: "https://github.com/a/b", from: "1.2.3"),"#: [2],
                #".package(url: "https://github.com/a/b", "1.2.3"..<"2.0.0")"#: [1],
                #".package(url: "https://github.com/a/b", branch: "main")"#: [1],
                #".package(path: "../b")"#: [1],
            ])
        + Planted.cases(
            SupplyRules.dependencyList, in: "Package.swift",
            [#".package(url: "https://github.com/a/b", exact: "1.2.3")"#: [nil], "let a = 1": []])

    private static let images: [Planted] =
        Planted.cases(
            SupplyRules.exactImage, in: "Dockerfile",
            [
                "ARG A=6.3.1\nFROM swift:${A}-bookworm AS build\nFROM debian:12.12-slim\nFROM build\n": [],
                "ARG A=6.3\nFROM swift:${A}-bookworm AS build\n": [2],
                "FROM debian:latest\nFROM debian:bookworm-slim\nFROM debian\n": [1, 2, 3],
                "FROM host:5000/debian\nFROM swift:6.3.x\nFROM swift:6.3.\n": [1, 2, 3],
                "FROM swift:6.3.1\nFROM a@sha256:" + String(repeating: "0f", count: 32): [],
            ])
        + Planted.cases(
            SupplyRules.exactImage, in: "docker-compose.yml",
            [
                "  a:\n    image: postgres:15.18-bookworm\n  b:\n    image: bitpal/gateway\n": [],
                "  a:\n    image: postgres:15-bookworm\n": [2],
                "  a:\n    image: prom/prometheus:v3\n": [2],
                "  a:\n    image: prom/prometheus:v3.5.0\n  b:\n    image: a/b:vv3.5.0\n": [4],
            ])

    private static let versions: [Planted] = Planted.cases(
        SupplyRules.changelogVersion, in: "CHANGELOG.md",
        [
            "# Changes\n\n## \(VersionText.current) (next)\n\n## 0.0.1 (2026-01-01)\n": [],
            "## \(VersionText.current) (2026-12-01)\n": [],
            "# Changes\n\n## Next\n": [3],
            "## 0.0.0 (next)\n\n## \(VersionText.current) (2026-12-01)\n": [1],
            "# Changes\n": [nil],
        ])
}
