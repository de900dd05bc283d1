import JSONReading

/// The members of an object, read with errors that say where they are.
struct JSONFields {
    let place: FileFault
    let members: [JSONText.Member]

    func fault(_ name: String, _ reason: String) -> FileFault {
        let place = members.first { $0.name == name }?.element.place
        return FileFault(
            line: place?.line ?? self.place.line, column: place?.column ?? self.place.column, field: name,
            reason)
    }

    /// `nil` where it is null or not there.
    func textOrNil(_ name: String) throws(FileFault) -> String? {
        try members.first { $0.name == name }?.element.text
    }

    func text(_ name: String) throws(FileFault) -> String {
        guard let text = try textOrNil(name) else { throw fault(name, "is missing") }
        return text
    }
}

extension JSONText.Element {
    /// A string or a number as it is written; `nil` of null.
    var text: String? {
        get throws(FileFault) {
            switch value {
            case .null: return nil
            case .string(let text), .number(let text): return text
            default: throw FileFault(line: place.line, column: place.column, "a string is expected")
            }
        }
    }

    /// The objects of an array.
    func objects() throws(FileFault) -> [JSONFields] {
        guard case .array(let elements) = value else {
            throw FileFault(line: place.line, column: place.column, "an array of objects is expected")
        }
        var objects: [JSONFields] = []
        for element in elements {
            let fault = FileFault(
                line: element.place.line, column: element.place.column, "an object is expected")
            guard case .object(let members) = element.value else { throw fault }
            objects.append(JSONFields(place: fault, members: members))
        }
        return objects
    }
}
