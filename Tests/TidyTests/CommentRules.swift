/// Rules about what comments say.
enum CommentRules {
    static let all: [TidyRule] = [undocumented]

    /// Functions that say what the language or a documented requirement says of them.
    private static let knownFunctions: Set<String> = ["hash", "encode", "buildBlock", "buildExpression"]

    private static let declaration = Pattern(
        #"^[ \t]*(?:@\w+(?:\([^)\n]*\))? )*(?:(?:final|static|mutating|nonisolated|indirect) )*(?:package|public) "#
            + #"(?:(?:final|static|mutating|nonisolated|indirect) )*"#
            + #"(?:struct|class|enum|actor|protocol|func) \w+(?:[<(][^)]?)?"#)

    /// Names of functions that have a comment anywhere: their witnesses and overloads need none.
    private static let explainedFunctions: Set<String> = {
        let function = Pattern(#"\bfunc \w+"#)
        return SourceTree.package.swiftFiles.filter { !$0.isGenerated }.reduce(into: []) { names, file in
            for match in function.matches(in: file.code) where hasComment(file, above: match.line) {
                names.insert(String(match.text.dropFirst("func ".count)))
            }
        }
    }()

    static let undocumented = TidyRule(
        name: "documented-interface",
        reason: """
            Whoever uses a type or a function of another module reads what it is, in which units and with \
            which limits. What a name and its types say needs no comment: properties, initialisers, \
            operators, functions without parameters.
            """
    ) { tree in
        tree.swiftFiles.filter { $0.isIn("Sources") && !$0.isGenerated }.flatMap { file in
            declaration.matches(in: file.code)
                .filter { !isExcused($0.text) && !hasComment(file, above: $0.line) }
                .map { Violation(file.path, line: $0.line, "no comment on `\(name($0.text))`") }
        }
    }

    private static func name(_ declaration: String) -> String {
        let words = declaration.split(separator: " ")
        return String(words.last?.prefix { $0 != "(" && $0 != "<" } ?? "")
    }

    private static func isExcused(_ declaration: String) -> Bool {
        guard declaration.contains(" func ") else { return false }
        let name = name(declaration)
        return declaration.hasSuffix("(") || knownFunctions.contains(name)
            || explainedFunctions.contains(name)
    }

    /// Whether a comment ends above a declaration or its attributes.
    private static func hasComment(_ file: SourceText, above line: Int) -> Bool {
        let lines = file.lines
        var number = line - 1
        while number > 0 {
            let text = lines[number - 1].drop { $0 == " " }
            guard text.hasPrefix("@") else { return text.hasPrefix("///") }
            number -= 1
        }
        return false
    }
}
