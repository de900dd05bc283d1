import JSON

/// Writes a document as YAML 1.2 in blocks: every text in the quotes of JSON, so that none needs a rule of
/// its own.
package struct YAMLText {
    private var text = ""

    /// The text of a document.
    package static func of(_ node: DocumentNode) -> String {
        var yaml = YAMLText()
        yaml.block(node, depth: 0)
        return yaml.text
    }

    private mutating func block(_ node: DocumentNode, depth: Int) {
        switch node {
        case .object(let members) where !members.isEmpty:
            for member in members {
                text += String(repeating: "  ", count: depth) + Self.key(member.name) + ":"
                value(member.value, depth: depth)
            }
        case .list(let items) where !items.isEmpty:
            for item in items {
                text += String(repeating: "  ", count: depth) + "-"
                value(item, depth: depth)
            }
        default: text += Self.scalar(node) + "\n"
        }
    }

    private mutating func value(_ node: DocumentNode, depth: Int) {
        switch node {
        case .object(let members) where !members.isEmpty:
            text += "\n"
            block(node, depth: depth + 1)
        case .list(let items) where !items.isEmpty:
            text += "\n"
            block(node, depth: depth + 1)
        default: text += " " + Self.scalar(node) + "\n"
        }
    }

    /// What readers of YAML 1.1 take for something else than a text.
    private static let words: Set = ["", "y", "n", "yes", "no", "on", "off", "true", "false", "null"]

    /// A key that is a word or a path stands bare, every other in quotes.
    private static func key(_ name: String) -> String {
        let isBare =
            name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    name.utf8.first == UInt8(ascii: "/")
                default: false
                }
            }
            && !words.contains(name.lowercased())
        return isBare ? name : scalar(.text(name))
    }

    private static func scalar(_ node: DocumentNode) -> String {
        var writer = JSONWriter()
        node.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
