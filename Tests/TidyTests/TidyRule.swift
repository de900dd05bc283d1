import Foundation
import Testing

/// A rule about the tree that the compiler and the formatter do not know.
struct TidyRule: Sendable, CustomTestStringConvertible {
    /// A short name, also used to allow an exception: `// tidy: loose-task <why>` on the line above.
    let name: String
    /// Why the rule is there; part of every failure.
    let reason: String
    let check: @Sendable (SourceTree) -> [Violation]

    var testDescription: String { name }

    /// What breaks the rule, in the order of the tree, without what a comment allows.
    func violations(in tree: SourceTree) -> [Violation] {
        let found = check(tree)
        let files = Dictionary(uniqueKeysWithValues: tree.files.map { ($0.path, $0) })
        return found.filter { violation in
            guard let line = violation.line, let file = files[violation.path] else { return true }
            return !Self.isAllowed(name, in: file, at: line)
        }
    }

    private static func isAllowed(_ name: String, in file: SourceText, at line: Int) -> Bool {
        let comments = file.comments.split(separator: "\n", omittingEmptySubsequences: false)
        return [line - 1, line].contains { number in
            guard comments.indices.contains(number - 1) else { return false }
            guard let mark = comments[number - 1].range(of: "tidy: \(name) ") else { return false }
            return !comments[number - 1][mark.upperBound...].allSatisfy(\.isWhitespace)
        }
    }
}

/// One place where a rule is broken.
struct Violation: Sendable, Hashable, CustomStringConvertible {
    let path: String
    /// From 1; `nil` when it is the file or folder itself.
    let line: Int?
    let what: String

    init(_ path: String, line: Int? = nil, _ what: String) {
        self.path = path
        self.line = line
        self.what = what
    }

    var description: String {
        line.map { "\(path):\($0): \(what)" } ?? "\(path): \(what)"
    }
}
