import JSON

/// Reads the fields of an object.
struct JSONObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey]
    private let object: JSONObject
    private let members: [String: JSONValue]
    private let heard: HeardFields
    private let visit: Int

    init(_ object: JSONObject, path: [any CodingKey], heard: HeardFields) {
        self.object = object
        members = object.dictionary
        codingPath = path
        self.heard = heard
        visit = heard.visit(members, at: path)
    }

    var allKeys: [Key] {
        heard.askAll(of: visit)
        return members.keys.sorted().compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool {
        heard.ask(key.stringValue, of: visit)
        return members[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key, "a value").decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder(key, "true or false").decode(type)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder(key, "a text in quotes").decode(type)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder(key, "a number").decode(type)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoder(key, "a number").decode(type)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try whole(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try whole(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try whole(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try whole(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try whole(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try whole(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try whole(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try whole(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try whole(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try whole(key).decode(type) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key, Self.name(of: type)).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key, "an object").container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key, "an array").unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        JSONValueDecoder(.object(object), path: codingPath, heard: heard)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key, "a value") }

    private func whole(_ key: Key) throws -> JSONValueDecoder { try decoder(key, "a whole number") }

    private func decoder(_ key: Key, _ accepted: String) throws -> JSONValueDecoder {
        heard.ask(key.stringValue, of: visit)
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: accepted))
        }
        return JSONValueDecoder(value, path: codingPath + [key], heard: heard)
    }

    /// What a missing field should have been.
    private static func name(of type: any Decodable.Type) -> String {
        "\(type)".hasPrefix("Array") ? "an array" : "a value"
    }
}

/// Reads the values of an array.
struct JSONArrayDecoder: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    private let values: [JSONValue]
    private let heard: HeardFields
    private(set) var currentIndex = 0

    init(_ values: [JSONValue], path: [any CodingKey], heard: HeardFields) {
        self.values = values
        codingPath = path
        self.heard = heard
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, values[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> JSONValueDecoder {
        let key = ArrayIndex(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSONValue.self, .init(codingPath: codingPath + [key], debugDescription: "one more value"))
        }
        defer { currentIndex += 1 }
        return JSONValueDecoder(values[currentIndex], path: codingPath + [key], heard: heard)
    }
}

/// A place in an array.
private struct ArrayIndex: CodingKey {
    var index: Int
    var intValue: Int? { index }
    var stringValue: String { "\(index)" }

    init(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }
}
