import JSON

/// Reads a small JSON text into dotted keys; a key given twice is refused, and every key can be listed.
enum JSONDocument {
    /// Levels of nesting.
    private static let depthLimit = 16

    /// The values of an object and the objects in it; `{"log": {"level": "info"}}` is `log.level`.
    static func flatten(_ bytes: [UInt8]) throws(JSONFault) -> [String: RawValue] {
        var cursor = JSONCursor(bytes[...], depthLimit: depthLimit)
        guard cursor.kind == .object else { throw cursor.fault("expected an object") }
        var values: [String: RawValue] = [:]
        try read(&cursor, prefix: "", into: &values)
        try cursor.expectEnd()
        return values
    }

    private static func read(
        _ cursor: inout JSONCursor, prefix: String, into values: inout [String: RawValue]
    ) throws(JSONFault) {
        try cursor.object { (cursor, key) throws(JSONFault) in
            let name = prefix + key
            guard cursor.kind != .object else {
                return try read(&cursor, prefix: name + ".", into: &values)
            }
            let place = cursor.place
            guard values.updateValue(try value(&cursor), forKey: name) == nil else {
                throw cursor.fault("\"\(name)\" is given twice", at: place)
            }
        }
    }

    private static func value(_ cursor: inout JSONCursor) throws(JSONFault) -> RawValue {
        switch cursor.kind {
        case .object: throw cursor.fault("no key takes an object in an array")
        case .text: return .text(try cursor.text())
        case .number: return .number(try cursor.number())
        case .flag: return .flag(try cursor.flag())
        case .null:
            try cursor.null()
            return .other("null")
        case .array:
            var texts: [String] = []
            try cursor.array { (cursor) throws(JSONFault) in
                let place = cursor.place
                guard let text = try value(&cursor).scalar else {
                    throw cursor.fault("no key takes this in an array", at: place)
                }
                texts.append(text)
            }
            return .list(texts)
        }
    }
}
