/// Rules about what things are called.
enum NameRules {
    static let all: [TidyRule] = [doubledType]

    private static let declaration = Pattern(
        #"^(?:@\w+(?:\([^)\n]*\))? )*(?:(?:public|package|private|fileprivate|final|indirect) )*"#
            + #"(?:struct|class|enum|actor|protocol) \w+"#)

    /// Types that stand in no other type, by their names, with the targets that declare them.
    private static let modules: [String: Set<String>] = {
        var found: [String: Set<String>] = [:]
        for file in SourceTree.package.swiftFiles where !file.isGenerated {
            guard let module = file.module else { continue }
            for match in declaration.matches(in: file.code) {
                found[name(match.text), default: []].insert(module)
            }
        }
        return found
    }()

    private static func name(_ declaration: String) -> String {
        String(declaration.split(separator: " ").last ?? "")
    }

    static let doubledType = TidyRule(
        name: "doubled-type",
        reason: """
            One name is one thing: a reader who finds a type by its name finds the one that is meant. Name \
            it by what makes it another, in the field's words.
            """
    ) { tree in
        tree.swiftFiles.filter { $0.isIn("Sources") && !$0.isGenerated }.flatMap { file in
            declaration.matches(in: file.code).compactMap { match in
                let others = (modules[name(match.text)] ?? []).subtracting([file.module ?? ""])
                guard name(match.text) != "Main", !others.isEmpty else { return nil }
                return Violation(
                    file.path, line: match.line,
                    "`\(name(match.text))` is a type of \(others.sorted().joined(separator: ", "))")
            }
        }
    }
}
