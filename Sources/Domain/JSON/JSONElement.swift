/// A value of a JSON text and where it stands.
package struct JSONElement: Sendable {
    package let value: JSONValue
    private let places: JSONPlaces

    private init(_ value: JSONValue, _ places: JSONPlaces) { (self.value, self.places) = (value, places) }

    /// Reads a text of one value and nothing after it.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - depthLimit: As many objects and arrays may be open at a time.
    /// - Throws: ``JSONFault`` with the first place that is no such JSON.
    package init(_ bytes: ArraySlice<UInt8>, depthLimit: Int) throws(JSONFault) {
        var cursor = JSONCursor(bytes, depthLimit: depthLimit)
        var places: [JSONPlaces]? = []
        value = try cursor.value(noting: &places)
        try cursor.expectEnd()
        self.places = places?.first ?? JSONPlaces(place: cursor.place, inner: [])
    }

    /// Where the value begins.
    package var place: JSONPlace { places.place }

    /// The members of an object in the order of the text; `nil` for anything else.
    package var members: [(key: String, element: JSONElement)]? {
        guard case .object(let members) = value else { return nil }
        return zip(members, places.inner).map { (key: $0.key, element: JSONElement($0.value, $1)) }
    }

    /// The elements of an array; `nil` for anything else.
    package var elements: [JSONElement]? {
        guard case .array(let elements) = value else { return nil }
        return zip(elements, places.inner).map { JSONElement($0, $1) }
    }
}

/// Where a value and those in it stand, in the shape of its tree.
struct JSONPlaces: Sendable {
    var place: JSONPlace
    var inner: [JSONPlaces]
}

extension JSONCursor {
    /// Reads what stands at the cursor, wholly; `places` gets its places, and is `nil` where nobody wants
    /// them.
    mutating func value(noting places: inout [JSONPlaces]?) throws(JSONFault) -> JSONValue {
        let start = place
        var inner: [JSONPlaces]? = places == nil ? nil : []
        let value: JSONValue
        switch kind {
        case .text: value = .string(try text())
        case .number: value = .number(try number())
        case .flag: value = .bool(try flag())
        case .null:
            try null()
            value = .null
        case .object:
            var members: [JSONObject.Element] = []
            try object { (cursor, key) throws(JSONFault) in
                members.append((key: key, value: try cursor.value(noting: &inner)))
            }
            value = .object(JSONObject(members))
        case .array:
            var elements: [JSONValue] = []
            try array { (cursor) throws(JSONFault) in elements.append(try cursor.value(noting: &inner)) }
            value = .array(elements)
        }
        places?.append(JSONPlaces(place: start, inner: inner ?? []))
        return value
    }
}
