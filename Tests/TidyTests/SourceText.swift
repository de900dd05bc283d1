/// One file of the tree, with its code and its comments told apart.
///
/// `code` and `comments` have the length and the lines of `text`: what does not belong is blank, so that a
/// position means the same in all three. String literals belong to neither.
struct SourceText: Sendable {
    /// Relative to the package's root, with slashes.
    let path: String
    let text: String
    let code: String
    let comments: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        if path.hasSuffix(".swift") {
            var scanner = SwiftScanner(text)
            scanner.scan()
            code = scanner.code
            comments = scanner.comments
        } else {
            code = text
            comments = text
        }
    }

    var lines: [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var lineCount: Int {
        lines.count - (text.hasSuffix("\n") || text.isEmpty ? 1 : 0)
    }

    var fileName: String {
        String(path.split(separator: "/").last ?? "")
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isGenerated: Bool { path.contains("/Generated/") }

    /// The target's folder in `Sources`, such as `Wire`; `nil` elsewhere.
    var module: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    /// Whether the file is of an executable: those folders are written in kebab-case.
    var isOfExecutable: Bool {
        module?.first?.isLowercase ?? false
    }

    func isIn(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }
}
