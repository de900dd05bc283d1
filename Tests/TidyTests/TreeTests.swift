import Testing

extension TidyRule {
    /// Every rule that the tree is held to.
    static let all: [TidyRule] =
        CodeRules.all + DecidingRules.all + NameRules.all + CommentRules.all + VenueRules.all
        + TreeRules.all + ServiceRules.all + SupplyRules.all + MigrationRules.all + ComposeRules.all
        + ContainerRules.all
}

@Suite("The tree")
struct TreeTests {
    @Test("keeps the rule", arguments: TidyRule.all)
    func keepsRule(_ rule: TidyRule) {
        let violations = rule.violations(in: .package)
        guard !violations.isEmpty else { return }
        let places = violations.map { "  \($0)" }.joined(separator: "\n")
        Issue.record("\(violations.count) × \(rule.name): \(rule.reason)\n\(places)")
    }

    @Test("is found: its own sources, tests and documents")
    func isFound() {
        let paths = Set(SourceTree.package.files.map(\.path))
        let wanted = [
            "Package.swift", "README.md", "Makefile", ".ci/run", "Sources/Domain/Instruments/Price.swift",
            "Tests/TidyTests/TreeTests.swift",
        ]
        #expect(wanted.filter { !paths.contains($0) } == [])
        #expect(!paths.contains { $0.hasPrefix(".build") || $0.hasPrefix(".git/") })
    }

    @Test("has code at each place that is said to decide", arguments: DecidingRules.places)
    func decides(_ place: String) {
        #expect(SourceTree.package.swiftFiles.contains { $0.path.hasPrefix(place) })
    }

    @Test("has few files that need a reason for their length")
    func hasFewLongFiles() {
        let files = SourceTree.package.swiftFiles.filter { !$0.isGenerated }
        let long = files.filter { $0.lineCount > TreeRules.lineLimits.reason }
        #expect(long.count * 20 <= files.count, "over 300 lines: \(long.map(\.path).joined(separator: ", "))")
        let median = files.map(\.lineCount).sorted()[files.count / 2]
        #expect(median < 150)
    }
}
