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

/// Where a text stops being JSON.
package struct JSONFault: Error, Hashable {
    /// Bytes from the start.
    package var offset: Int
    package var reason: String
}

/// Reads a JSON text (RFC 8259) of bounded depth; a key given twice is refused.
package struct JSONReader {
    private static let depthLimit = 16
    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func read(_ bytes: [UInt8]) throws(JSONFault) -> JSONNode {
        var reader = JSONReader(bytes)
        let node = try reader.value(depth: 0)
        guard reader.peek() == nil else { throw reader.fault("expected the end") }
        return node
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONNode {
        guard depth < JSONReader.depthLimit else { throw fault("nested too deep") }
        switch peek() {
        case 0x7B: return try object(depth)
        case 0x5B: return try array(depth)
        case 0x22: return .text(try text())
        case 0x74: return try word("true", .flag(true))
        case 0x66: return try word("false", .flag(false))
        case 0x6E: return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(_ depth: Int) throws(JSONFault) -> JSONNode {
        index += 1
        var members: [JSONNode.Member] = []
        var keys: Set<String> = []
        while peek() != 0x7D {
            if !members.isEmpty { try expect(0x2C) }
            _ = peek()
            let start = index
            let key = try text()
            guard keys.insert(key).inserted else {
                throw JSONFault(offset: start, reason: "\"\(key)\" is given twice")
            }
            try expect(0x3A)
            members.append(JSONNode.Member(key: key, value: try value(depth: depth + 1)))
        }
        index += 1
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(JSONFault) -> JSONNode {
        index += 1
        var items: [JSONNode] = []
        while peek() != 0x5D {
            if !items.isEmpty { try expect(0x2C) }
            items.append(try value(depth: depth + 1))
        }
        index += 1
        return .array(items)
    }

    private mutating func word(_ word: StaticString, _ node: JSONNode) throws(JSONFault) -> JSONNode {
        guard bytes[index...].starts(with: "\(word)".utf8) else { throw fault("expected a value") }
        index += word.utf8CodeUnitCount
        return node
    }

    private mutating func number() throws(JSONFault) -> JSONNode {
        let start = index
        while index < bytes.count, "+-.0123456789eE".utf8.contains(bytes[index]) { index += 1 }
        guard index > start else { throw fault("expected a value") }
        return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func text() throws(JSONFault) -> String {
        try expect(0x22)
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x22:
                guard let string = String(validating: text, as: UTF8.self) else { throw fault("not UTF-8") }
                return string
            case 0x5C: try escape(into: &text)
            case 0x00..<0x20: throw fault("a control character in a string")
            default: text.append(byte)
            }
        }
        throw fault("the string does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        guard index < bytes.count else { throw fault("the string does not end") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75: text += Array(String(Character(try scalar())).utf8)
        default: throw fault("an unknown escape")
        }
    }

    /// The scalar after `\u`, with the second half of a pair.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, bytes[index...].starts(with: "\\u".utf8) else { throw fault("half of a pair") }
        index += 2
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half of a pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, !digits.contains(0x2B), !digits.contains(0x2D),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("expected four hexadecimal digits") }
        index += 4
        return value
    }

    private mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard peek() == byte else { throw fault("expected \(Unicode.Scalar(byte))") }
        index += 1
    }

    /// The next byte that is not blank.
    private mutating func peek() -> UInt8? {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return byte }
            index += 1
        }
        return nil
    }

    private func fault(_ reason: String) -> JSONFault { JSONFault(offset: index, reason: reason) }
}
