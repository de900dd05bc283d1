/// Rules about what comes from outside, and about the version that is said to come of it.
enum SupplyRules {
    static let all: [TidyRule] = [exactDependency, dependencyList, exactImage, changelogVersion]

    static let exactDependency = TidyRule(
        name: "exact-dependency",
        reason: """
            Package.resolved is not kept, so the manifest alone says what is compiled: `exact:`, and a new \
            version is a change that somebody has read.
            """
    ) { tree in
        guard let manifest = tree.file("Package.swift") else { return [] }
        let begin = Pattern(#"\.package\(.*"#)
        let exact = Pattern(#"^\.package\(url: "[^"]+", exact: "\d+\.\d+\.\d+"\)"#)
        return begin.matches(in: manifest.text).filter { !exact.isFound(in: $0.text) }
            .map { Violation(manifest.path, line: $0.line, $0.text) }
    }

    static let dependencyList = TidyRule(
        name: "dependency-list",
        reason: """
            dependencies.txt says what comes from outside, in which version and for what: what Package.swift \
            names stands there with the same version, as coming directly, and nothing else does.
            """
    ) { tree in
        guard let manifest = tree.file("Package.swift") else { return [] }
        let named = DependencyText.named(in: manifest.text)
        let list = tree.file("dependencies.txt")
        let listed = list.map { DependencyText.direct(in: $0.text) } ?? []
        return named.subtracting(listed).sorted().map { Violation(manifest.path, "\($0) is not listed") }
            + listed.subtracting(named).sorted().map { Violation("dependencies.txt", "\($0) is not named") }
    }

    static let exactImage = TidyRule(
        name: "exact-image",
        reason: """
            A tag that moves builds another thing tomorrow: base images are named by their exact version, \
            which \(ImageText.twoParts.sorted().joined(separator: " and ")) count in two numbers, or by digest.
            """
    ) { tree in
        tree.files.filter { ["Dockerfile", "docker-compose.yml"].contains($0.fileName) }.flatMap { file in
            ImageText.bases(in: file.text).filter { !ImageText.isExact($0.text) }
                .map { Violation(file.path, line: $0.line, $0.text) }
        }
    }

    static let changelogVersion = TidyRule(
        name: "changelog-version",
        reason: """
            What `--version` says is told in CHANGELOG.md: its newest heading is that version, as \
            `## \(VersionText.current) (next)`, or with the day of the release.
            """
    ) { tree in
        guard let changes = tree.file("CHANGELOG.md") else { return [] }
        guard let heading = Pattern(#"(?m)^## .*"#).matches(in: changes.text).first else {
            return [Violation(changes.path, "no heading")]
        }
        let isOurs = VersionText.isHeading(heading.text, of: VersionText.current)
        return isOurs ? [] : [Violation(changes.path, line: heading.line, heading.text)]
    }
}
