package import JSON
package import Shapes

/// Reads a request's JSON, at most 32 levels deep.
package enum JSONInput {
    /// The deepest nesting.
    static let depthLimit = 32

    /// Reads one value and nothing after it, whose texts may be stored.
    ///
    /// - Throws: `malformed-json` or `too-deep`, with line and column; `bad-request` as ``check(_:)`` does.
    package static func read(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        let value = try parse(bytes)
        try check(value)
        return value
    }

    /// The same without a look at the texts, for who first has to know whose message it is.
    ///
    /// - Throws: `malformed-json` or `too-deep`, with line and column.
    package static func parse(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do throws(JSONFault) {
            return try JSONValue(bytes[...], depthLimit: depthLimit)
        } catch {
            let place = "(line \(error.place.line), column \(error.place.column))"
            throw Problem(error.isTooDeep ? .tooDeep : .malformedJSON, "\(error.reason) \(place)")
        }
    }

    /// A body in these bytes.
    ///
    /// - Throws: As ``read(_:)``, or `invalid-field` with the path of the field.
    package static func body<Body: WireInput>(_ bytes: [UInt8]) throws(Problem) -> Body {
        let json = try read(bytes)
        do throws(InputFault) {
            return try Body(json)
        } catch {
            throw Problem(error)
        }
    }
}

extension JSONValue {
    /// What a refusal says somebody gave.
    package var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text), .string(let text): text
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The text with the members of objects in the order of their keys.
    package var sortedBytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self, sortingKeys: true)
        return writer.bytes
    }
}
