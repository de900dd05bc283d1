import Foundation

/// A service of docker-compose.yml, as its lines say.
struct ComposedService {
    let name: String
    /// Where it begins, from 1.
    let line: Int
    /// Its own lines, then those of the anchors that it merges.
    let text: String

    /// Whether it has a key, of its own or by an anchor.
    func has(_ key: String) -> Bool { Pattern(#"^ +\#(key): *\S"#).isFound(in: text) }

    /// Ports of its own that are published on the host, each as it is written.
    var published: [String] {
        let section = Pattern(#"^    ports:(.*(?:\n {6,}.*)*)"#).matches(in: text).first?.groups[0] ?? ""
        return Pattern(#"["']?[\w.:${}\[\]-]*\d(?:/\w+)?["']?"#).matches(in: section)
            .map { $0.text.trimmingCharacters(in: ["\"", "'"]) }
    }

    /// All of them.
    static func all(in text: String) -> [ComposedService] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let anchors = blocks(lines) { $0.firstMatch(of: /^x-[\w-]+: &([\w-]+)$/).map { String($0.1) } }
        let bodies = Dictionary(anchors.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
        guard let start = lines.firstIndex(of: "services:") else { return [] }
        let end = lines[(start + 1)...].firstIndex { $0.first?.isLetter == true } ?? lines.endIndex
        return blocks(Array(lines[..<end])) { line in
            line.firstMatch(of: /^  ([\w-]+):$/).map { String($0.1) }
        }.filter { $0.line > start + 1 }.map { block in
            let merged = block.text.matches(of: /<<: (?:\*([\w-]+)|\[([^\]]*)\])/).flatMap { match in
                match.1.map { [String($0)] }
                    ?? (match.2 ?? "").split(separator: ",").map { $0.filter { $0 != "*" && $0 != " " } }
            }
            let own = [block.text] + merged.compactMap { bodies[$0] }
            return ComposedService(name: block.name, line: block.line, text: own.joined(separator: "\n"))
        }
    }

    /// What begins with a heading, up to the next line that is indented no deeper.
    private static func blocks(
        _ lines: [String], _ heading: (String) -> String?
    ) -> [(name: String, line: Int, text: String)] {
        lines.indices.compactMap { index in
            guard let name = heading(lines[index]) else { return nil }
            let depth = lines[index].prefix { $0 == " " }.count
            let body = lines[(index + 1)...].prefix { line in
                line.allSatisfy(\.isWhitespace) || line.prefix { $0 == " " }.count > depth
            }
            return (name, index + 1, body.joined(separator: "\n"))
        }
    }
}
