import JSONReading

/// A value of JSON with numbers kept as they were written.
indirect enum JSONText {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([Element])
    case object([Member])

    /// A value and where it begins.
    struct Element {
        var place: JSONPlace
        var value: JSONText
    }

    struct Member {
        var name: String
        var element: Element
    }
}

extension JSONText {
    private static let depthLimit = 32

    /// Reads a document; errors say line and column.
    ///
    /// - Throws: ``FileFault``, also when the bytes are not UTF-8.
    static func read(_ bytes: [UInt8]) throws(FileFault) -> Element {
        let text = try Encoding.check(bytes)
        do throws(JSONFault) {
            var cursor = JSONCursor(text, depthLimit: depthLimit)
            let element = try element(&cursor)
            try cursor.expectEnd()
            return element
        } catch {
            throw FileFault(line: error.place.line, column: error.place.column, error.reason)
        }
    }

    private static func element(_ cursor: inout JSONCursor) throws(JSONFault) -> Element {
        let place = cursor.place
        return Element(place: place, value: try value(&cursor))
    }

    private static func value(_ cursor: inout JSONCursor) throws(JSONFault) -> JSONText {
        switch cursor.kind {
        case .text: return .string(try cursor.text())
        case .number: return .number(try cursor.number())
        case .flag: return .bool(try cursor.flag())
        case .null:
            try cursor.null()
            return .null
        case .object:
            var members: [Member] = []
            try cursor.object { (cursor, key) throws(JSONFault) in
                members.append(Member(name: key, element: try element(&cursor)))
            }
            return .object(members)
        case .array:
            var elements: [Element] = []
            try cursor.array { (cursor) throws(JSONFault) in elements.append(try element(&cursor)) }
            return .array(elements)
        }
    }
}
