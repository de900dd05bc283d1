import Venues

/// A JSON document as a tree that keeps the text of numbers, for what is read rarely: requests of clients,
/// rows of a tape, a survey.
indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The exact text.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order of the document.
    case object([JSONMember])

    /// Reads a document; `nil` when it is no JSON, or nested deeper than 32.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard var scanner = JSONScanner(bytes) else { return nil }
        do throws(ScanError) {
            self = try JSONValue.read(&scanner, depth: 32)
            try scanner.expectEnd()
        } catch {
            return nil
        }
    }

    /// Reads a document; `nil` when it is no JSON.
    init?(_ bytes: [UInt8]) {
        guard let value = bytes.withUnsafeBytes({ JSONValue($0) }) else { return nil }
        self = value
    }

    /// The first member of that name; `nil` where there is none or this is no object.
    subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The elements; empty for anything but an array.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The text of a string or a number.
    var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }

    /// A whole number, bare or quoted.
    var integer: Int64? { text.flatMap { Int64($0) } }

    /// `true` or `false`.
    var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    private static func read(_ scanner: inout JSONScanner, depth: Int) throws(ScanError) -> JSONValue {
        guard depth > 0 else { throw .malformed }
        switch try scanner.peek() {
        case 0x22:
            guard let text = scanner.string(try scanner.text()) else { throw .malformed }
            return .string(text)
        case 0x7B:
            var members: [JSONMember] = []
            try scanner.object { scanner, key throws(ScanError) in
                guard let name = scanner.string(key) else { throw .malformed }
                members.append(JSONMember(name: name, value: try read(&scanner, depth: depth - 1)))
            }
            return .object(members)
        case 0x5B:
            var elements: [JSONValue] = []
            try scanner.array { scanner throws(ScanError) in
                elements.append(try read(&scanner, depth: depth - 1))
            }
            return .array(elements)
        case 0x74, 0x66: return .bool(try scanner.bool())
        default:
            if try scanner.takeNull() { return .null }
            guard let text = scanner.string(try scanner.scalarText()), isNumber(text) else {
                throw .malformed
            }
            return .number(text)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && text.utf8.contains { $0 &- 0x30 < 10 }
    }
}

/// A name and its value in a JSON object.
struct JSONMember: Hashable, Sendable {
    var name: String
    var value: JSONValue
}
