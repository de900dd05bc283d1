package import Instruments
package import JSON

/// What a value is for people who read it in a table: a text as it is, nothing for null, lists with commas.
extension WireValue {
    package var plainText: String { String(decoding: json, as: UTF8.self) }
}

extension String {
    package var plainText: String { self }
}

extension Bool {
    package var plainText: String { self ? "true" : "false" }
}

extension WireValue where Self: BinaryInteger {
    package var plainText: String { String(self) }
}

extension Amount {
    package var plainText: String { description }
}

extension DecimalNumber {
    package var plainText: String { description }
}

extension InstrumentID {
    package var plainText: String { description }
}

extension Optional where Wrapped: WireValue {
    package var plainText: String { self?.plainText ?? "" }
}

extension Array where Element: WireValue {
    package var plainText: String { map(\.plainText).joined(separator: ", ") }
}

extension JSONValue {
    package var plainText: String {
        switch self {
        case .null: ""
        case .bool(let flag): flag.plainText
        case .string(let text), .number(let text): text
        case .array(let values): values.plainText
        case .object: String(decoding: json, as: UTF8.self)
        }
    }
}
