import Foundation

/// A regular expression for whole files.
struct Pattern {
    private let expression: NSRegularExpression

    /// - Precondition: `text` is a regular expression.
    init(_ text: String) {
        do {
            expression = try NSRegularExpression(pattern: text, options: [.anchorsMatchLines])
        } catch {
            preconditionFailure("not a regular expression: \(text): \(error)")
        }
    }

    /// Each match with its line, from 1, and its groups; one that takes no part is empty.
    func matches(in text: String) -> [(line: Int, text: String, end: String.Index, groups: [String])] {
        let whole = NSRange(text.startIndex..., in: text)
        var line = 1
        var counted = text.startIndex
        return expression.matches(in: text, range: whole).compactMap { match in
            guard let range = Range(match.range, in: text) else { return nil }
            line += text[counted..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") }
            counted = range.lowerBound
            let groups = (1..<max(match.numberOfRanges, 1)).map { number in
                Range(match.range(at: number), in: text).map { String(text[$0]) } ?? ""
            }
            return (line, String(text[range]), range.upperBound, groups)
        }
    }

    func isFound(in text: some StringProtocol) -> Bool {
        let text = String(text)
        return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}

extension TidyRule {
    /// A rule that refuses a pattern in the code, not in comments and strings, of the files chosen.
    static func refusing(
        _ pattern: String, named name: String, because reason: String,
        in isConcerned: @escaping @Sendable (SourceText) -> Bool
    ) -> TidyRule {
        TidyRule(name: name, reason: reason) { tree in
            let pattern = Pattern(pattern)
            return tree.swiftFiles.filter { isConcerned($0) && !$0.isGenerated }.flatMap { file in
                pattern.matches(in: file.code).map { match in
                    let text = match.text.trimmingCharacters(in: .whitespacesAndNewlines)
                    return Violation(file.path, line: match.line, "`\(text)`")
                }
            }
        }
    }
}
