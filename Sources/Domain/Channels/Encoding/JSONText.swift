/// A JSON value that is to be written on one line; members keep their order.
indirect enum JSONText: Sendable {
    case object([(String, JSONText)])
    case array([JSONText])
    case text(String)
    case integer(Int64)
    case flag(Bool)
    case null
    /// JSON already.
    case written(String)

    static func optional(_ text: String?) -> JSONText { text.map(JSONText.text) ?? .null }

    var string: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\(JSONText.quoted($0.0)):\($0.1.string)" }.joined(separator: ",") + "}"
        case .array(let items): "[" + items.map(\.string).joined(separator: ",") + "]"
        case .text(let text): JSONText.quoted(text)
        case .integer(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .null: "null"
        case .written(let json): json
        }
    }

    var bytes: [UInt8] { Array(string.utf8) }

    static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars { text += escaped(scalar) }
        return text + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\u{0}"..<" ":
            let digits = String(scalar.value, radix: 16)
            return "\\u00\(digits.utf8.count == 1 ? "0" : "")\(digits)"
        default: return String(scalar)
        }
    }

    /// Bytes of a character inside a JSON text.
    static func size(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { $0 + escaped($1).utf8.count }
    }

}
