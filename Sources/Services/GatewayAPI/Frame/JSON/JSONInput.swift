import JSON

/// Turns a request's JSON, at most 32 levels deep, into a value of ours.
///
/// A field that the type never asks for is refused by name, at every level: who misspells an optional field
/// must not believe that it was heard.
enum JSONInput {
    /// The deepest nesting.
    static let depthLimit = 32

    /// Reads one value and nothing after it.
    ///
    /// - Throws: `malformed-json` or `too-deep`, with line and column.
    static func read(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do throws(JSONFault) {
            return try JSONValue(bytes[...], depthLimit: depthLimit)
        } catch {
            let place = "(line \(error.place.line), column \(error.place.column))"
            throw Problem(error.isTooDeep ? .tooDeep : .malformedJSON, "\(error.reason) \(place)")
        }
    }

    /// The value in these bytes.
    ///
    /// - Throws: `Problem`: `malformed-json`, `too-deep`, or `invalid-field` with the path of the field.
    static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(Problem) -> Value {
        try value(type, from: read(bytes))
    }

    /// The value in this JSON.
    ///
    /// - Throws: `invalid-field` with the path of the field.
    static func value<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws(Problem) -> Value {
        let heard = HeardFields()
        do {
            let value = try Value(from: JSONValueDecoder(json, path: [], heard: heard))
            if let name = heard.unknownField {
                throw Problem(unknown: name)
            }
            return value
        } catch let problem as Problem {
            throw problem
        } catch let error as DecodingError {
            throw Problem(error)
        } catch {
            throw Problem(.badRequest, "the body cannot be understood: \(error)")
        }
    }
}

/// Which fields of which objects were asked for.
final class HeardFields {
    struct Unknown {
        var field: String
        var known: String
    }

    private struct Visit {
        var path: [any CodingKey]
        var members: [String: JSONValue]
        var asked: Set<String> = []
    }

    private var visits: [Visit] = []

    /// Notes that an object is read; its number.
    func visit(_ members: [String: JSONValue], at path: [any CodingKey]) -> Int {
        visits.append(Visit(path: path, members: members))
        return visits.count - 1
    }

    /// Notes that a field of it was asked for.
    func ask(_ key: String, of visit: Int) { visits[visit].asked.insert(key) }

    /// Notes that all its keys are data.
    func askAll(of visit: Int) { visits[visit].asked.formUnion(visits[visit].members.keys) }

    /// The first field in the alphabet that nobody asked for.
    var unknownField: Unknown? {
        // One object may be read twice, once for its kind and once for the rest.
        var asked: [String: Set<String>] = [:]
        for visit in visits { asked[visit.path.text, default: []].formUnion(visit.asked) }
        for visit in visits {
            let known = asked[visit.path.text, default: []]
            guard let key = visit.members.keys.filter({ !known.contains($0) }).min() else { continue }
            let path = visit.path.text
            return Unknown(
                field: path.isEmpty ? key : "\(path).\(key)", known: known.sorted().joined(separator: ", "))
        }
        return nil
    }
}

extension [any CodingKey] {
    /// As a person writes it: `rule.conditions[2].price`.
    var text: String {
        var text = ""
        for key in self {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return text
    }
}

extension Problem {
    /// A field that nobody asked for; what it had is not said, since it may be a password at a wrong place.
    fileprivate init(unknown name: HeardFields.Unknown) {
        self.init(.invalidField, "\(name.field) is no such field; known are \(name.known)")
        field = name.field
        accepted = "no such field; known are \(name.known)"
    }

    /// Says where decoding stopped.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .invalid((context.codingPath + [key]).text, nil, accepted: context.debugDescription)
        case .valueNotFound(_, let context):
            self = .invalid(context.codingPath.text, "null", accepted: context.debugDescription)
        case .typeMismatch(_, let context):
            self = .invalid(
                context.codingPath.isEmpty ? "body" : context.codingPath.text,
                (context.underlyingError as? RefusedValue)?.shown ?? "", accepted: context.debugDescription)
        case .dataCorrupted(let context):
            self = .invalid(
                context.codingPath.isEmpty ? "body" : context.codingPath.text,
                (context.underlyingError as? RefusedValue)?.shown ?? "", accepted: context.debugDescription)
        @unknown default:
            self = Problem(.badRequest, "the body cannot be understood")
        }
    }
}

/// What a field had, inside a `DecodingError`.
struct RefusedValue: Error {
    var shown: String
}

extension JSONValue {
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

    /// The text with the members of objects in the order of their keys.
    var sortedBytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self, sortingKeys: true)
        return writer.bytes
    }
}
