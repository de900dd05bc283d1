/// Rules about what code may say.
enum CodeRules {
    static let all: [TidyRule] = [
        looseTask, foundationInDomain, floatInDomain, printing, fatalErrors, sleepInTests,
        otherTestLibrary, vagueTypeName, unexplainedUnsafety, discardedComparison, lockedFunction,
        statementType, handMadeJSON,
    ]

    static let looseTask = TidyRule.refusing(
        #"\bTask(\.detached|\.immediate|\.init)?\s*(<[^>\n]*>)?\s*(\([^()\n]*\))?\s*\{|\bTask\.detached\b"#,
        named: "loose-task",
        because: """
            A task without a parent has no one who waits for it, cancels it or sees its error. \
            Use a task group or a second Service.
            """
    ) { !$0.isIn("Tests") }

    static let foundationInDomain = TidyRule.refusing(
        #"^[ \t]*(@\w+ )?(\w+ )?import (Foundation\w*|Dispatch)\b"#,
        named: "domain-foundation",
        because: "The domain is pure and runs on the hot path: the standard library is all that it needs."
    ) { $0.floor == "Domain" }

    static let floatInDomain = TidyRule.refusing(
        #"\b(Double|Float|Float16|Float32|Float64|CGFloat)\b"#,
        named: "domain-float",
        because: "Prices, sizes and money are exact. A binary fraction rounds what somebody owns."
    ) { $0.floor == "Domain" && $0.module != "Statistics" }

    static let statementType = TidyRule.refusing(
        #"\b(struct|enum|class|protocol)\s+\w+\s*:[^{\n]*\bStatement\b"#,
        named: "statement-type",
        because: "A statement is a value at its place: write the query, and bind by interpolation."
    ) { $0.floor != nil && $0.module != "Store" }

    static let printing = TidyRule.refusing(
        #"(?<![\w.])(print|debugPrint|dump)\("#,
        named: "printing",
        because: "Standard output belongs to the commands. A library returns values, a service logs."
    ) { $0.floor != nil && $0.module != "OperatorCommands" && $0.floor != "Programs" }

    static let handMadeJSON = TidyRule.refusing(
        #"\bJSONWriter\b"#,
        named: "hand-made-json",
        because: """
            What a command prints is told once, as a WireBody or a PrintedRow: its line of JSON, its table \
            and its schema are made of that. A comment says why another form cannot be told so.
            """
    ) { $0.module == "OperatorCommands" && $0.isIn("Sources") }

    static let fatalErrors = TidyRule.refusing(
        #"\bfatalError\("#,
        named: "fatal-error",
        because: """
            Foreign bytes must never end a process: throw. For a mistake of the programmer's say \
            precondition or preconditionFailure with a sentence.
            """
    ) { $0.isIn("Sources") }

    static let sleepInTests = TidyRule.refusing(
        #"(?<!func )\b(u|nano)?sleep\("#,
        named: "sleep-in-tests",
        because: "A test that sleeps is slow or wrong, and sometimes both. Wait for a value, with a limit."
    ) { $0.isIn("Tests") && $0.path != "Tests/Support/Waiting.swift" }

    static let otherTestLibrary = TidyRule.refusing(
        #"^[ \t]*(@\w+ )?import XCTest\b"#,
        named: "one-test-library",
        because: "All tests are Swift Testing's, so that there is one runner and one summary."
    ) { _ in true }

    static let lockedFunction = TidyRule.refusing(
        #"\bMutex<\s*(@\w+\s+)*\([^\[\n]*->"#,
        named: "locked-function",
        because: """
            A function is turned into its general form and back by wrapping it, each time that the lock is \
            taken: calls get deeper until the stack ends. Put it into a struct.
            """
    ) { _ in true }

    static let vagueTypeName = TidyRule.refusing(
        #"\b(class|struct|enum|actor|protocol) \w*(Manager|Helper|Helpers|Util|Utils|Utilities|Impl)\b"#,
        named: "vague-name",
        because: "Such a name says that the type has no one thing to decide. Name that thing."
    ) { _ in true }

    static let unexplainedUnsafety = TidyRule(
        name: "safety-comment",
        reason: "The compiler no longer checks this. `// SAFETY:` above it says what holds and who keeps it."
    ) { tree in
        let unsafe = Pattern(
            #"@unchecked Sendable|\b(nonisolated|unowned)\(unsafe\)|\bunsafeBitCast\b|\bUnmanaged\b"#
                + #"|\bassumingMemoryBound\b"#)
        return tree.swiftFiles.filter { !$0.isGenerated }.flatMap { file in
            unsafe.matches(in: file.code)
                .filter { !isExplained(file, line: $0.line) }
                .map { Violation(file.path, line: $0.line, "`\($0.text)` without `// SAFETY:`") }
        }
    }

    /// Whether `SAFETY:` stands on the line, in the six lines above, or in the comment that these end.
    private static func isExplained(_ file: SourceText, line: Int) -> Bool {
        let comments = file.comments.split(separator: "\n", omittingEmptySubsequences: false)
        var number = line
        while number >= 1 {
            let comment = comments[number - 1]
            if comment.contains("SAFETY:") { return true }
            if line - number >= 6 && comment.allSatisfy(\.isWhitespace) { return false }
            number -= 1
        }
        return false
    }

    static let discardedComparison = TidyRule(
        name: "discarded-comparison",
        reason: "`#expect(throws: Never.self)` throws its body's result away: the comparison can never fail."
    ) { tree in
        let opening = Pattern(#"throws:\s*Never\.self[^{\n]*\{"#)
        let comparison = Pattern(#" (==|!=|<|>|<=|>=) "#)
        return tree.swiftFiles.flatMap { file in
            opening.matches(in: file.code)
                .filter { comparison.isFound(in: bracedBody(of: file.code, from: $0.end)) }
                .map { Violation(file.path, line: $0.line, "a comparison inside `throws: Never.self`") }
        }
    }

    /// The text from an opening brace that was just passed to the brace that closes it.
    private static func bracedBody(of code: String, from start: String.Index) -> Substring {
        var depth = 1
        let end = code[start...].firstIndex { character in
            depth += character == "{" ? 1 : character == "}" ? -1 : 0
            return depth == 0
        }
        return code[start..<(end ?? code.endIndex)]
    }
}
