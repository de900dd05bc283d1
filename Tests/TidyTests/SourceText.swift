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

    /// The floor in `Sources` that the file is on, such as `Adapters`; `nil` elsewhere.
    var floor: String? { place?.floor }

    /// The target's folder on a floor of `Sources`, such as `Bus`; `nil` elsewhere.
    var module: String? { place?.module }

    private var place: (floor: String, module: String)? {
        let parts = path.split(separator: "/")
        return parts.count > 3 && parts[0] == "Sources" ? (String(parts[1]), String(parts[2])) : nil
    }

    func isIn(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }
}
