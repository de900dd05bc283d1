package import JSONReading

/// A small JSON text as a tree; numbers stay text, so that no digit is lost.
package indirect enum JSONNode: Hashable, Sendable {
    case object([Member])
    case array([JSONNode])
    case text(String)
    case number(String)
    case flag(Bool)
    case null

    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSONNode
    }

    /// The value as somebody would have written it, cut to a line's length.
    package var shown: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .text(let text): "\"\(text.prefix(60))\""
        case .number(let text): String(text.prefix(60))
        case .flag(let flag): flag ? "true" : "false"
        case .null: "null"
        }
    }
}

extension JSONNode {
    private static let depthLimit = 16

    /// Reads a JSON text of bounded depth and nothing after it.
    package init(_ bytes: [UInt8]) throws(JSONFault) {
        var cursor = JSONCursor(bytes[...], depthLimit: JSONNode.depthLimit)
        self = try JSONNode.read(&cursor)
        try cursor.expectEnd()
    }

    private static func read(_ cursor: inout JSONCursor) throws(JSONFault) -> JSONNode {
        switch cursor.kind {
        case .text: return .text(try cursor.text())
        case .number: return .number(try cursor.number())
        case .flag: return .flag(try cursor.flag())
        case .null:
            try cursor.null()
            return .null
        case .object:
            var members: [Member] = []
            try cursor.object { (cursor, key) throws(JSONFault) in
                members.append(Member(key: key, value: try read(&cursor)))
            }
            return .object(members)
        case .array:
            var items: [JSONNode] = []
            try cursor.array { (cursor) throws(JSONFault) in items.append(try read(&cursor)) }
            return .array(items)
        }
    }
}
