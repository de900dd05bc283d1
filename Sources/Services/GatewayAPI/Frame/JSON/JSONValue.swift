/// JSON as a client wrote it: numbers as text, so that none is rounded.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// What a refusal says somebody gave.
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text), .string(let text): text
        case .array: "an array"
        case .object: "an object"
        }
    }
}
