import JSONReading

/// Reads JSON from outside, at most 32 levels deep.
enum JSONReader {
    /// The deepest nesting.
    static let depthLimit = 32

    /// Reads one value and nothing after it.
    ///
    /// - Throws: `malformed-json` or `too-deep`, with line and column.
    static func read(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do throws(JSONFault) {
            var cursor = JSONCursor(bytes[...], depthLimit: depthLimit)
            let value = try value(&cursor)
            try cursor.expectEnd()
            return value
        } catch {
            let place = "(line \(error.place.line), column \(error.place.column))"
            throw Problem(error.isTooDeep ? .tooDeep : .malformedJSON, "\(error.reason) \(place)")
        }
    }

    private static func value(_ cursor: inout JSONCursor) throws(JSONFault) -> JSONValue {
        switch cursor.kind {
        case .text: return .string(try cursor.text())
        case .number: return .number(try cursor.number())
        case .flag: return .bool(try cursor.flag())
        case .null:
            try cursor.null()
            return .null
        case .object:
            var members: [String: JSONValue] = [:]
            try cursor.object { (cursor, key) throws(JSONFault) in members[key] = try value(&cursor) }
            return .object(members)
        case .array:
            var elements: [JSONValue] = []
            try cursor.array { (cursor) throws(JSONFault) in elements.append(try value(&cursor)) }
            return .array(elements)
        }
    }
}
