/// What a value on the wire may be: the part of JSON Schema (2020-12) that the API's document needs.
package indirect enum Schema: Sendable {
    /// Keywords as they stand in the document, such as `type` and `maxLength`.
    case keywords([DocumentNode.Member])
    /// A body that has a name and stands once in the document.
    case body(any Described.Type)
    /// A body without a name, told at its place.
    case object([FieldDocument])
    /// At least and at most so many items.
    case array(Schema, ClosedRange<Int>?)
    /// Members whose names are data.
    case map(Schema)
    case nullable(Schema)
    case anyOf([Schema])

    package static let boolean = Schema.keywords([.init("type", "boolean")])
    /// Any JSON.
    package static let any = Schema.keywords([])

    /// A text: what it is by JSON Schema, such as `uuid`, its length in characters, its pattern by ECMA 262.
    package static func text(
        _ format: String? = nil, length: ClosedRange<Int>? = nil, pattern: String? = nil
    ) -> Schema {
        var members = [DocumentNode.Member("type", "string")]
        if let format { members.append(.init("format", .text(format))) }
        if let pattern { members.append(.init("pattern", .text(pattern))) }
        if let length, length.lowerBound > 0 {
            members.append(.init("minLength", .integer(Int64(length.lowerBound))))
        }
        if let length, length.upperBound < .max {
            members.append(.init("maxLength", .integer(Int64(length.upperBound))))
        }
        return .keywords(members)
    }

    /// One of a few words.
    package static func words(_ words: [String]) -> Schema {
        .keywords([.init("type", "string"), .init("enum", .list(words.map { .text($0) }))])
    }

    /// A whole number.
    package static func integer(in range: ClosedRange<Int64>? = nil) -> Schema {
        .keywords([.init("type", "integer")] + limits(range))
    }

    /// A number that may have a fraction.
    package static func number(in range: ClosedRange<Int64>? = nil) -> Schema {
        .keywords([.init("type", "number")] + limits(range))
    }

    private static func limits(_ range: ClosedRange<Int64>?) -> [DocumentNode.Member] {
        guard let range else { return [] }
        var members: [DocumentNode.Member] = []
        if range.lowerBound > .min { members.append(.init("minimum", .integer(range.lowerBound))) }
        if range.upperBound < .max { members.append(.init("maximum", .integer(range.upperBound))) }
        return members
    }

    /// The same with further keywords; of a reference a schema beside it, as JSON Schema allows.
    package func adding(_ members: [DocumentNode.Member]) -> DocumentNode {
        members.isEmpty ? node : node.adding(members)
    }

    /// As it stands in the document.
    package var node: DocumentNode {
        switch self {
        case .keywords(let members): .object(members)
        case .body(let type): ["$ref": .text("#/components/schemas/\(type.document.name)")]
        case .object(let fields): .object(Self.members(of: fields, []))
        case .array(let item, let count):
            .object(
                [.init("type", "array"), .init("items", item.node)]
                    + (count.map { Self.counts($0) } ?? []))
        case .map(let value): ["type": "object", "additionalProperties": value.node]
        case .nullable(let schema): Self.nullable(schema)
        case .anyOf(let schemas): ["anyOf": .list(schemas.map(\.node))]
        }
    }

    /// An object with these fields, and words about it.
    fileprivate static func members(
        of fields: [FieldDocument], _ words: [DocumentNode.Member]
    ) -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = [.init("type", "object")] + words
        let required = fields.filter(\.isRequired).map { DocumentNode.text($0.name) }
        if !required.isEmpty { members.append(.init("required", .list(required))) }
        members.append(.init("properties", .object(fields.map { .init($0.name, $0.node) })))
        return members
    }

    private static func counts(_ count: ClosedRange<Int>) -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = []
        if count.lowerBound > 0 { members.append(.init("minItems", .integer(Int64(count.lowerBound)))) }
        if count.upperBound < .max { members.append(.init("maxItems", .integer(Int64(count.upperBound)))) }
        return members
    }

    private static func nullable(_ schema: Schema) -> DocumentNode {
        guard case .object(let members) = schema.node, case .text(let type)? = schema.node["type"] else {
            if case .keywords(let members) = schema, members.isEmpty { return [:] }
            return ["anyOf": [schema.node, ["type": "null"]]]
        }
        return .object(
            members.map { member in
                switch (member.name, member.value) {
                case ("type", _): .init("type", [.text(type), "null"])
                case ("enum", .list(let words)): .init("enum", .list(words + [.null]))
                default: member
                }
            })
    }

    /// The bodies that it speaks of, not those inside of them.
    package var bodies: [any Described.Type] {
        switch self {
        case .keywords: []
        case .body(let type): [type]
        case .object(let fields): fields.flatMap(\.schema.bodies)
        case .array(let schema, _), .map(let schema), .nullable(let schema): schema.bodies
        case .anyOf(let schemas): schemas.flatMap(\.bodies)
        }
    }
}

/// A body that stands in the document under a name.
package protocol Described: SendableMetatype {
    /// Its fields, as the document shows them.
    static var document: BodyDocument { get }
}

/// What the document says of a body.
package struct BodyDocument: Sendable {
    /// As the document calls it, such as `Watchlist`.
    package var name: String
    /// One sentence, or none where the name says all.
    package var text: String
    package var fields: [FieldDocument]
    /// Whether it may have fields that are not told here.
    package var isOpen: Bool
    /// In place of fields, for what is no object with fixed fields.
    package var whole: Schema?
    /// Shown in place of what the fields show by themselves.
    package var example: DocumentNode?

    package init(
        _ name: String, _ text: String = "", isOpen: Bool = true, example: DocumentNode? = nil,
        _ fields: [FieldDocument]
    ) {
        (self.name, self.text, self.isOpen, self.example) = (name, text, isOpen, example)
        self.fields = fields
    }

    /// What is no object with fixed fields, such as one of several bodies.
    package init(_ name: String, _ text: String = "", whole: Schema, example: DocumentNode) {
        (self.name, self.text, self.isOpen, fields) = (name, text, true, [])
        (self.whole, self.example) = (whole, example)
    }

    /// Its schema.
    package var node: DocumentNode {
        let words: [DocumentNode.Member] = text.isEmpty ? [] : [.init("description", .text(text))]
        if let whole { return whole.adding(words) }
        var members = Schema.members(of: fields, words)
        if !isOpen { members.append(.init("additionalProperties", false)) }
        return .object(members)
    }

    /// One such body.
    package var sample: DocumentNode {
        example ?? .object(FieldDocument.samples(of: fields))
    }

    /// The bodies that its fields speak of.
    package var bodies: [any Described.Type] {
        (whole?.bodies ?? []) + fields.flatMap(\.schema.bodies)
    }
}

/// What the document says of a field.
package struct FieldDocument: Sendable {
    package var name: String
    package var schema: Schema
    /// Whether it is always there.
    package var isRequired: Bool
    /// One sentence with the unit; empty where the name says all.
    package var text: String
    /// What stands in the example; `nil` for a field that is left out there.
    package var example: DocumentNode?
    /// What a missing field is taken for.
    package var standard: DocumentNode?

    /// Tells a field.
    package init(
        _ name: String, _ schema: Schema, _ text: String = "", example: DocumentNode? = nil,
        isRequired: Bool = true, standard: DocumentNode? = nil
    ) {
        (self.name, self.schema, self.isRequired, self.text) = (name, schema, isRequired, text)
        (self.example, self.standard) = (example, standard)
    }

    /// As it stands among the properties.
    package var node: DocumentNode {
        var members: [DocumentNode.Member] = []
        if !text.isEmpty { members.append(.init("description", .text(text))) }
        if let standard { members.append(.init("default", standard)) }
        return schema.adding(members)
    }

    /// The example; of a body and of lists of bodies their own.
    var sample: DocumentNode? {
        // Not `nil` alone, which would be the null of JSON.
        example ?? (isRequired ? schema.sample : Optional.none)
    }

    /// The examples of those that show one.
    static func samples(of fields: [FieldDocument]) -> [DocumentNode.Member] {
        fields.compactMap { field in field.sample.map { .init(field.name, $0) } }
    }
}

extension Schema {
    /// An example by what is known of it alone.
    package var sample: DocumentNode {
        switch self {
        case .body(let type): type.document.sample
        case .object(let fields): .object(FieldDocument.samples(of: fields))
        case .array(let schema, _): .list([schema.sample])
        case .map(let schema): ["name": schema.sample]
        case .nullable: .null
        case .anyOf(let schemas): schemas.first?.sample ?? .null
        case .keywords: keywordSample
        }
    }

    private var keywordSample: DocumentNode {
        if case .list(let words)? = node["enum"], let first = words.first { return first }
        switch node["type"] {
        case .text("boolean"): return true
        case .text("integer"), .text("number"): return node["minimum"] ?? 0
        case .text("string"): return node["format"] == "uuid" ? .text(Self.sampleID) : "text"
        default: return .object([])
        }
    }

    /// The identifier of examples.
    package static let sampleID = "0192f0c1-4a6b-7c3d-8e9f-0a1b2c3d4e5f"
}
