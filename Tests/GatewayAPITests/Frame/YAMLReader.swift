import Foundation
import JSON
import Support

@testable import GatewayAPI

/// Reads the part of YAML that the OpenAPI file is written in: block mappings and sequences, scalars plain or
/// in quotes, flow notation on one line, literal and folded text; /docs reads the same.
///
/// Every scalar but an empty one is text.
struct YAMLReader {
    private struct Line {
        var indent: Int
        var text: String

        var isItem: Bool { text == "-" || text.hasPrefix("- ") }
    }

    private var lines: [Line]
    private var place = 0

    /// A whole document.
    static func read(_ text: String) throws -> JSONValue {
        var reader = YAMLReader(
            lines: text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                Line(
                    indent: line.prefix { $0 == " " }.count, text: line.trimmingCharacters(in: .whitespaces))
            })
        let value = try reader.block(0)
        guard reader.current == nil else { throw reader.fault() }
        return value
    }

    /// The next line that says something.
    private var current: Line? {
        mutating get {
            while place < lines.count, lines[place].text.isEmpty || lines[place].text.hasPrefix("#") {
                place += 1
            }
            return place < lines.count ? lines[place] : nil
        }
    }

    private func fault() -> PropertyFailure {
        PropertyFailure("line \(place + 1) is not understood: \(lines[place].text)")
    }

    private mutating func block(_ indent: Int) throws -> JSONValue {
        guard let line = current, line.indent >= indent else { return .null }
        return line.isItem ? try sequence(line.indent) : try mapping(line.indent)
    }

    private mutating func sequence(_ indent: Int) throws -> JSONValue {
        var values: [JSONValue] = []
        while let line = current, line.indent == indent, line.isItem {
            let rest = line.text.dropFirst().drop { $0 == " " }
            if rest.isEmpty {
                place += 1
                values.append(try block(indent + 1))
            } else if !"[{".contains(rest.prefix(1)), Self.pair(rest) != nil {
                lines[place] = Line(indent: indent + 2, text: String(rest))
                values.append(try mapping(indent + 2))
            } else {
                place += 1
                values.append(try Self.scalar(rest))
            }
        }
        return .array(values)
    }

    private mutating func mapping(_ indent: Int) throws -> JSONValue {
        var members: JSONObject = [:]
        while let line = current, line.indent == indent, !line.isItem {
            guard let (key, rest) = Self.pair(line.text[...]) else { throw fault() }
            place += 1
            switch rest {
            case "|", ">": members[key] = .string(literal(indent))
            case "":
                let isList = current.map { $0.indent == indent && $0.isItem } ?? false
                members[key] = try block(isList ? indent : indent + 1)
            default: members[key] = try Self.scalar(rest)
            }
        }
        return .object(members)
    }

    private mutating func literal(_ indent: Int) -> String {
        var text: [String] = []
        while place < lines.count, lines[place].text.isEmpty || lines[place].indent > indent {
            text.append(lines[place].text)
            place += 1
        }
        return text.joined(separator: "\n")
    }

    /// A key and what follows its colon.
    private static func pair(_ text: Substring) -> (String, Substring)? {
        let quote = text.first.flatMap { "\"'".contains($0) ? $0 : nil }
        let end: Substring.Index
        if let quote {
            guard let closing = text.dropFirst().firstIndex(of: quote) else { return nil }
            end = text.index(after: closing)
            guard text[end...].first == ":" else { return nil }
        } else {
            guard
                let colon = text.indices.first(where: { place in
                    let next = text.index(after: place)
                    return text[place] == ":" && (next == text.endIndex || text[next] == " ")
                })
            else { return nil }
            end = colon
        }
        let key = quote == nil ? text[..<end] : text[..<end].dropFirst().dropLast()
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.first == " " else { return nil }
        return (String(key), rest.drop { $0 == " " })
    }

    private static func scalar(_ text: Substring) throws -> JSONValue {
        switch text.first {
        case nil, "~": return .null
        case "\"": return try JSONInput.read(Array(text.utf8))
        case "'": return .string(String(text.dropFirst().dropLast()).replacing("''", with: "'"))
        case "[": return .array(try parts(text.dropFirst().dropLast()).map(scalar))
        case "{":
            var members: JSONObject = [:]
            for part in parts(text.dropFirst().dropLast()) {
                guard let (key, rest) = pair(part) else { throw PropertyFailure("no pair: \(part)") }
                members[key] = try scalar(rest)
            }
            return .object(members)
        default: return .string(String(text))
        }
    }

    /// The parts of flow notation, apart at commas that are in no quotes or brackets.
    private static func parts(_ text: Substring) -> [Substring] {
        var found: [Substring] = []
        var (depth, start, quote) = (0, text.startIndex, Character?.none)
        for place in text.indices {
            switch text[place] {
            case let character where quote != nil: if character == quote { quote = nil }
            case let character where "\"'".contains(character): quote = character
            case "[", "{": depth += 1
            case "]", "}": depth -= 1
            case "," where depth == 0:
                found.append(text[start..<place])
                start = text.index(after: place)
            default: break
            }
        }
        found.append(text[start...])
        return found.map { $0.trimmingCharacters(in: .whitespaces)[...] }.filter { !$0.isEmpty }
    }
}
