import JSON

/// Reads `Decodable` types from ``JSONValue`` and notes which fields they ask for.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    let heard: HeardFields
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: JSONValue, path: [any CodingKey], heard: HeardFields) {
        self.value = value
        codingPath = path
        self.heard = heard
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw refusal("an object") }
        return KeyedDecodingContainer(JSONObjectDecoder(members, path: codingPath, heard: heard))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw refusal("an array") }
        return JSONArrayDecoder(values, path: codingPath, heard: heard)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func refusal(_ accepted: String) -> DecodingError {
        .typeMismatch(
            JSONValue.self,
            .init(
                codingPath: codingPath, debugDescription: accepted,
                underlyingError: RefusedValue(shown: value.shown)))
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let value) = value else { throw refusal("true or false") }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw refusal("a text in quotes") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard case .number(let text) = value, let number = Double(text), number.isFinite else {
            throw refusal("a number")
        }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == JSONValue.self, let value = value as? Value { return value }
        return try Value(from: self)
    }

    private func integer<Value: FixedWidthInteger>() throws -> Value {
        guard case .number(let text) = value, let number = Value(text) else {
            // Limits that only the machine sets say nothing to a person.
            throw refusal("a whole number" + (Value.bitWidth < 64 ? ", \(Value.min)...\(Value.max)" : ""))
        }
        return number
    }
}

extension JSONValue: Decodable {
    /// Keeps JSON as it is, for a part whose form is read elsewhere.
    init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder else {
            throw DecodingError.typeMismatch(
                JSONValue.self, .init(codingPath: decoder.codingPath, debugDescription: "JSON"))
        }
        self = decoder.value
    }
}
