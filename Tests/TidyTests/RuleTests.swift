import Testing

/// A violation planted in a tree of one file.
struct Planted: Sendable, CustomTestStringConvertible {
    let rule: TidyRule
    let path: String
    let text: String
    /// Where it must be found; empty for what looks like a violation and is none.
    let lines: [Int?]

    static let all =
        PlantedCode.all + PlantedDeciding.all + PlantedComments.all + PlantedFiles.all + PlantedSupply.all
        + PlantedMigrations.all + PlantedCompose.all + PlantedContainers.all

    /// One case for each text, with the lines where the rule must find something.
    static func cases(
        _ rule: TidyRule, in path: String, _ texts: KeyValuePairs<String, [Int?]>
    ) -> [Planted] {
        texts.map { Planted(rule: rule, path: path, text: $0.key, lines: $0.value) }
    }

    var testDescription: String {
        "\(rule.name) in \(path): \(text.prefix(60).split(separator: "\n").joined(separator: "⏎"))"
    }
}

@Suite("A tidy rule")
struct RuleTests {
    @Test(
        "finds what is planted, and only that",
        arguments: Planted.all)
    func findsPlanted(_ planted: Planted) {
        let tree = SourceTree(files: [SourceText(path: planted.path, text: planted.text)])
        #expect(planted.rule.violations(in: tree).map(\.line) == planted.lines)
    }

    @Test("is planted at least once, found and not found", arguments: TidyRule.all)
    func isPlanted(_ rule: TidyRule) {
        let cases = Planted.all.filter { $0.rule.name == rule.name }
        #expect(cases.contains { !$0.lines.isEmpty })
        #expect(cases.contains { $0.lines.isEmpty })
    }

    @Test("gives a reason that is a sentence", arguments: TidyRule.all)
    func givesReason(_ rule: TidyRule) {
        #expect(rule.reason.count > 20)
        #expect(rule.reason.last == "." || rule.reason.contains(":"))
    }

    @Test("is named once")
    func isNamedOnce() {
        #expect(Set(TidyRule.all.map(\.name)).count == TidyRule.all.count)
    }

    @Test("yields to a comment on the line or the line above that says why")
    func yieldsToReason() {
        let excuse = "// tidy: loose-task The runtime's own entry point."
        let code = "func start() { Task { await run() } }"
        #expect(found("\(excuse)\n\(code)") == [])
        #expect(found("\(code)  \(excuse)") == [])
        #expect(found("// tidy: loose-task \n\(code)") == [2])
        #expect(found("\(excuse)\n\n\(code)") == [3])
        #expect(found("// tidy: printing Elsewhere.\n\(code)") == [2])
    }

    private func found(_ text: String) -> [Int?] {
        let tree = SourceTree(files: [SourceText(path: "Sources/Adapters/Bus/Publisher.swift", text: text)])
        return CodeRules.looseTask.violations(in: tree).map(\.line)
    }
}
