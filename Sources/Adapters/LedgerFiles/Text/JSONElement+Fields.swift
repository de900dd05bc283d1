import JSON

extension JSONElement {
    /// Reads a document of at most 32 levels.
    ///
    /// - Throws: ``FileFault`` with line and column, also when the bytes are not UTF-8.
    init(file bytes: [UInt8]) throws(FileFault) {
        let text = try Encoding.check(bytes)
        do throws(JSONFault) {
            self = try JSONElement(text, depthLimit: 32)
        } catch {
            throw FileFault(line: error.place.line, column: error.place.column, error.reason)
        }
    }

    /// A fault where the value begins.
    func fault(_ reason: String, field: String = "") -> FileFault {
        FileFault(line: place.line, column: place.column, field: field, reason)
    }

    /// A string or a number as it is written; `nil` of null.
    var text: String? {
        get throws(FileFault) {
            switch value {
            case .null: return nil
            case .string(let text), .number(let text): return text
            default: throw fault("a string is expected")
            }
        }
    }

    /// The objects of an array.
    func objects() throws(FileFault) -> [JSONFields] {
        guard let elements else { throw fault("an array of objects is expected") }
        var objects: [JSONFields] = []
        for element in elements {
            guard let members = element.members else { throw element.fault("an object is expected") }
            objects.append(JSONFields(object: element, members: members))
        }
        return objects
    }
}

/// The members of an object, read with errors that say where they are.
struct JSONFields {
    let object: JSONElement
    let members: [(key: String, element: JSONElement)]

    func fault(_ name: String, _ reason: String) -> FileFault {
        (members.first { $0.key == name }?.element ?? object).fault(reason, field: name)
    }

    /// `nil` where it is null or not there.
    func textOrNil(_ name: String) throws(FileFault) -> String? {
        try members.first { $0.key == name }?.element.text
    }

    func text(_ name: String) throws(FileFault) -> String {
        guard let text = try textOrNil(name) else { throw fault(name, "is missing") }
        return text
    }
}
