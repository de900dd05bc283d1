/// A JSON text (RFC 8259) as a tree.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it was written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Reads a text of one value and nothing after it.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - depthLimit: As many objects and arrays may be open at a time.
    /// - Throws: ``JSONFault`` with the first place that is no such JSON.
    package init(_ bytes: ArraySlice<UInt8>, depthLimit: Int) throws(JSONFault) {
        var cursor = JSONCursor(bytes, depthLimit: depthLimit)
        var places: [JSONPlaces]?
        self = try cursor.value(noting: &places)
        try cursor.expectEnd()
    }

    /// A member of an object; `nil` where there is none or this is no object.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The elements of an array; none of anything else.
    package var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// What a string or a number says.
    package var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }

    /// A whole number, bare or quoted.
    package var integer: Int64? { text.flatMap { Int64($0) } }

    /// `true` or `false`.
    package var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The value as somebody would have written it, cut to a line's length.
    package var excerpt: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let text): String(text.prefix(60))
        case .string(let text): "\"\(text.prefix(60))\""
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The text on one line.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONValue {
    /// A whole number.
    package static func integer(_ number: some BinaryInteger) -> JSONValue { .number(String(number)) }

    /// A string, or null.
    package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
