import Instruments
import JSON
import Store

/// Whether values are what the document says of them, by the part of JSON Schema (2020-12) that its schemas
/// are written in; a keyword of the rest is a fault.
///
/// Stricter in one thing: an object whose fields are told has no others, since what it has is told by the
/// document or by nobody.
struct SchemaCheck {
    /// What references lead into.
    let root: JSONValue

    /// What is wrong with a value, each with its place; nothing where it conforms.
    func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "body") -> [String] {
        guard case .object(let keywords) = schema else { return ["\(place): its schema is no object"] }
        return keywords.flatMap { faults(value, $0.key, $0.value, at: place) }
            + furtherFaults(value, keywords, at: place)
    }

    /// Of fields that the schema does not name.
    private func furtherFaults(_ value: JSONValue, _ keywords: JSONObject, at place: String) -> [String] {
        guard case .object(let members) = value else { return [] }
        let told = keywords["properties"]
        let further = members.filter { told?.at($0.key) == nil }
        switch keywords["additionalProperties"] ?? .bool(told == nil) {
        case .bool(let isFree): return isFree ? [] : further.map { "\(place).\($0.key): is not told" }
        case let schema: return further.flatMap { faults($0.value, schema, at: "\(place).\($0.key)") }
        }
    }

    private func faults(_ value: JSONValue, _ keyword: String, _ rule: JSONValue, at place: String)
        -> [String]
    {
        func fault(unless isRight: Bool) -> [String] {
            isRight ? [] : ["\(place): \(value.excerpt) is not right by \(keyword) \(Self.text(rule))"]
        }
        switch keyword {
        // Words, and what is looked at beside its neighbours.
        case "description", "default", "example", "title", "deprecated", "additionalProperties": return []
        case "$ref":
            guard let schema = root.at(reference: rule.plainText ?? "") else {
                return ["\(place): \(Self.text(rule)) leads nowhere"]
            }
            return faults(value, schema, at: place)
        case "anyOf":
            let branches = rule.items.map { faults(value, $0, at: place) }
            guard !branches.contains([]) else { return [] }
            return ["\(place): none of \(branches.map { $0.joined(separator: ", ") })"]
        case "type":
            let types = (rule.items + [rule]).compactMap(\.plainText)
            return fault(unless: types.contains { Self.isOf($0, value) })
        case "enum": return fault(unless: rule.items.contains(value))
        case "items":
            return value.items.enumerated().flatMap { faults($1, rule, at: "\(place)[\($0)]") }
        case "properties":
            return rule.members.sorted { $0.key < $1.key }.flatMap { name, schema in
                value.at(name).map { faults($0, schema, at: "\(place).\(name)") } ?? []
            }
        case "required":
            guard case .object = value else { return [] }
            return rule.items.compactMap(\.plainText).filter { value.at($0) == nil }
                .map { "\(place).\($0): is missing" }
        default:
            return isWithin(value, keyword, rule).map { fault(unless: $0) }
                ?? ["\(place): \(keyword) is a keyword that nobody checks"]
        }
    }

    /// Whether a value keeps a limit, as every value of another type does; `nil` for what is none.
    private func isWithin(_ value: JSONValue, _ keyword: String, _ rule: JSONValue) -> Bool? {
        let limit = rule.number ?? .nan
        let (length, count) = (value.plainText?.unicodeScalars.count, value.array?.count)
        switch keyword {
        case "minimum": return value.number.map { $0 >= limit } ?? true
        case "maximum": return value.number.map { $0 <= limit } ?? true
        case "minLength": return length.map { Double($0) >= limit } ?? true
        case "maxLength": return length.map { Double($0) <= limit } ?? true
        case "minItems": return count.map { Double($0) >= limit } ?? true
        case "maxItems": return count.map { Double($0) <= limit } ?? true
        case "pattern":
            guard let text = value.plainText else { return true }
            guard let pattern = rule.plainText, let regex = try? Regex(pattern) else { return false }
            return text.firstMatch(of: regex) != nil
        case "format": return value.plainText.map { Self.isOf(format: rule.plainText ?? "", $0) } ?? true
        default: return nil
        }
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let text)): Int64(text) != nil || UInt64(text) != nil
        default: false
        }
    }

    /// Loosely: what no reader would take for one is none.
    private static func isOf(format: String, _ text: String) -> Bool {
        switch format {
        case "date-time": Timestamp(iso8601: text) != nil
        case "uuid": UniqueID(text) != nil
        case "date": Timestamp(iso8601: text + "T00:00:00Z") != nil
        case "email": text.split(separator: "@").count == 2
        case "uri": text.contains(":") && !text.contains(" ")
        default: !text.isEmpty
        }
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.bytes, as: UTF8.self) }
}

extension JSONValue {
    /// A number as near as a binary fraction is.
    fileprivate var number: Double? { if case .number(let text) = self { Double(text) } else { nil } }

    fileprivate var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
}
