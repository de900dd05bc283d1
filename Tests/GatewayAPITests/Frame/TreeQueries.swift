import Foundation

/// The statements that stand in the sources as literals, as the server would be asked to prepare them.
///
/// What is interpolated is a parameter, but for `SQL`, whose literal is looked up, and for parts that a
/// function `appendInterpolation` with a label writes, which are looked up too.
struct TreeQueries {
    struct Found: Sendable, CustomStringConvertible {
        var path: String
        var line: Int
        var text: String

        var description: String { "\(path):\(line): \(text)" }
    }

    private(set) var found: [Found] = []
    /// What makes the temporary tables that some of them are about.
    private(set) var temporaryTables: [String] = []
    /// Texts of type `SQL` by `Type.name`, and by `path name` for those of a function.
    private var fragments: [String: String] = [:]

    /// Parts that functions write by their labels; a parameter is `\(`.
    private var parts: [String: String] = ["owner": ""]

    private static let beginnings = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "MERGE"]

    init(root: URL) throws {
        let folder = root.appending(path: "Sources")
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var files: [(path: String, literals: [SwiftLiteral])] = []
        while let url = walk?.nextObject() as? URL {
            guard url.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: url, encoding: .utf8)
            guard
                text.contains("SQL") || text.contains("Query") || text.contains("\"\"\"")
                    || Self.beginnings.contains(where: { text.contains("\"\($0) ") })
            else { continue }
            let path = String(url.path.dropFirst(root.path.count + 1))
            let literals = SwiftLiteral.all(in: text)
            files.append((path, literals))
            for literal in literals { note(literal, in: path) }
            noteParts(of: text)
        }
        for (path, literals) in files {
            for literal in literals where literal.isQuery(beginning: Self.beginnings) {
                found.append(Found(path: path, line: literal.line, text: text(of: literal, in: path)))
            }
            temporaryTables += literals.filter { $0.isQuery(beginning: ["CREATE TEMPORARY TABLE"]) }
                .map { text(of: $0, in: path) }
        }
    }

    private mutating func note(_ literal: SwiftLiteral, in path: String) {
        guard let name = literal.fragmentName else { return }
        for key in ["\(literal.enclosing).\(name)", "\(path) \(name)"] where fragments[key] == nil {
            fragments[key] = text(of: literal, in: path)
        }
    }

    private mutating func noteParts(of text: String) {
        let function = /func appendInterpolation\((\w+) \w+: [^\n]*\{\n((?:        [^\n]*\n)+)/
        for match in text.matches(of: function) where match.1 != "_" {
            let steps = match.2.matches(of: /appendLiteral\("([^\n]*)"\)|appendInterpolation\(/)
            parts[String(match.1)] = steps.map { $0.1.map(String.init) ?? "\\(" }.joined()
        }
    }

    private func text(of literal: SwiftLiteral, in path: String) -> String {
        var count = 0
        return literal.pieces.map { piece in
            switch piece {
            case .text(let text): return text
            case .interpolation(let code):
                // Words that the program knows stand in the text as they are.
                if code.hasPrefix("SQL(words:") { return "'word'" }
                if let fragment = fragments[code] ?? fragments["\(literal.enclosing).\(code)"]
                    ?? fragments["\(path) \(code)"]
                    ?? fragments["\(literal.enclosing).\(code.split(separator: ".").last ?? "")"]
                {
                    return fragment
                }
                let label = String(code.prefix { $0.isLetter })
                if code.dropFirst(label.count).hasPrefix(":"), let part = parts[label] {
                    let column = code.split(separator: "\"").dropFirst().first ?? ""
                    let text = label == "owner" ? "(\(column) = \\()" : part
                    return text.components(separatedBy: "\\(").enumerated().map { place, rest in
                        if place == 0 { return rest }
                        count += 1
                        return "$\(count)" + rest
                    }.joined()
                }
                count += 1
                return "$\(count)"
            }
        }.joined()
    }
}

/// A string literal of a Swift file, cut at its interpolations.
struct SwiftLiteral {
    enum Piece {
        case text(String)
        case interpolation(String)
    }

    var line = 1
    var pieces: [Piece] = []
    /// The type whose declaration or extension the literal stands in, as far as braces at line starts tell.
    var enclosing = ""
    /// What stands before it on its line, and on the line before where that is blank.
    var before = ""

    /// The name of the `SQL` that it is the value of.
    var fragmentName: String? {
        guard let range = before.range(of: #"let (\w+): SQL = *(\w+ \? )?$"#, options: .regularExpression)
        else {
            return nil
        }
        return before[range].dropFirst(4).prefix { $0 != ":" }.description
    }

    func isQuery(beginning words: [String]) -> Bool {
        guard fragmentName == nil, case .text(let first) = pieces.first else { return false }
        let text = first.drop { $0 == " " || $0 == "\n" }
        return words.contains { text.hasPrefix($0 + " ") || text.hasPrefix($0 + "\n") }
    }

    static func all(in source: String) -> [SwiftLiteral] {
        var scanner = LiteralScanner(source)
        return scanner.scan()
    }
}

/// Finds literals; comments are passed over, raw strings too.
private struct LiteralScanner {
    private let text: [Character]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var enclosing = ""

    init(_ text: String) { self.text = Array(text) }

    mutating func scan() -> [SwiftLiteral] {
        var literals: [SwiftLiteral] = []
        while position < text.count {
            if starts("//") {
                while position < text.count, text[position] != "\n" { position += 1 }
            } else if starts("#\"") {
                position += 2
                while position < text.count, !starts("\"#") { advance() }
                position += 2
            } else if text[position] == "\"" {
                literals.append(literal())
            } else {
                advance()
            }
        }
        return literals
    }

    private func starts(_ word: String) -> Bool {
        text[position...].starts(with: word)
    }

    private mutating func advance() {
        if text[position] == "\n" {
            line += 1
            lineStart = position + 1
            noteDeclaration()
        }
        position += 1
    }

    /// Types are declared at the beginning of a line here, but those within another.
    private mutating func noteDeclaration() {
        let rest = String(text[lineStart...].prefix { $0 != "\n" && $0 != "{" && $0 != ":" })
        guard !rest.hasPrefix(" "), !rest.hasPrefix("}") else { return }
        let words = rest.split(separator: " ")
        let kinds: Set<Substring> = ["extension", "struct", "enum", "class", "actor", "protocol"]
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { return }
        enclosing = words[kind + 1].prefix { $0.isLetter || $0.isNumber }.description
    }

    private mutating func literal() -> SwiftLiteral {
        var literal = SwiftLiteral()
        literal.line = line
        literal.enclosing = enclosing
        var start = lineStart
        if text[lineStart..<position].allSatisfy({ $0 == " " }), lineStart > 1 {
            start = (text[..<(lineStart - 1)].lastIndex(of: "\n") ?? 0) + 1
        }
        literal.before = String(text[start..<position]).replacing(/\s+/, with: " ")
        let quote = starts("\"\"\"") ? "\"\"\"" : "\""
        position += quote.count
        var piece = ""
        while position < text.count, !starts(quote) {
            if starts("\\(") {
                literal.pieces.append(.text(piece))
                piece = ""
                literal.pieces.append(.interpolation(interpolation()))
            } else if text[position] == "\\" {
                position += 2
            } else {
                piece.append(text[position])
                advance()
            }
        }
        position += quote.count
        literal.pieces.append(.text(piece))
        return literal
    }

    /// The code between the parentheses.
    private mutating func interpolation() -> String {
        position += 2
        let start = position
        var depth = 1
        while position < text.count {
            if text[position] == "(" { depth += 1 }
            if text[position] == ")" {
                depth -= 1
                if depth == 0 { break }
            }
            advance()
        }
        position += 1
        return String(text[start..<(position - 1)])
    }
}
