import Instruments
package import Shapes

/// A parameter behind the question mark, whatever it has.
package protocol QueryParameter: Sendable {
    var document: ParameterDocument { get }
}

/// A parameter behind the question mark: what the document says of it, and how it is read.
package struct Parameter<Value>: QueryParameter {
    package let document: ParameterDocument
    let read: @Sendable (RequestQuery) throws(Problem) -> Value

    package init(
        _ document: ParameterDocument, read: @escaping @Sendable (RequestQuery) throws(Problem) -> Value
    ) {
        (self.document, self.read) = (document, read)
    }

    package init(
        _ name: String, _ text: String, _ schema: Schema, example: DocumentNode? = nil,
        read: @escaping @Sendable (RequestQuery) throws(Problem) -> Value
    ) {
        self.init(
            ParameterDocument(name: name, text: text, schema: schema, example: example), read: read)
    }
}

extension RequestQuery {
    /// What a parameter has.
    ///
    /// - Throws: `invalid-field`.
    package subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        get throws(Problem) { try parameter.read(self) }
    }
}

extension Parameter where Value == String? {
    /// A text; `nil` when it is missing or empty.
    package static func text(
        _ name: String, _ text: String, atMost limit: Int = 200, example: DocumentNode? = nil
    ) -> Parameter {
        Parameter(name, text, .text(length: 0...limit), example: example) { (query) throws(Problem) in
            try query.text(name, atMost: limit)
        }
    }
}

extension Parameter where Value == Int {
    /// A whole number in a range.
    package static func integer(
        _ name: String, _ text: String, in range: ClosedRange<Int>, default value: Int
    ) -> Parameter {
        let schema = Schema.integer(in: Int64(range.lowerBound)...Int64(range.upperBound))
            .with(default: .integer(Int64(value)))
        return Parameter(name, text, schema) { (query) throws(Problem) in
            try query.integer(name, in: range, default: value)
        }
    }
}

extension Parameter where Value == Bool {
    /// `true` or `false`.
    package static func flag(_ name: String, _ text: String, default value: Bool = false) -> Parameter {
        Parameter(name, text, Schema.boolean.with(default: .bool(value))) { (query) throws(Problem) in
            try query.flag(name, default: value)
        }
    }
}

extension Parameter where Value == Timestamp? {
    /// A moment.
    package static func time(_ name: String, _ text: String) -> Parameter {
        Parameter(name, text, .text("date-time"), example: "2026-11-21T12:00:00Z") {
            (query) throws(Problem) in try query.time(name)
        }
    }
}

extension Parameter {
    /// One of a few words; `nil` when it is missing.
    package static func choice<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ text: String, _ type: Word.Type = Word.self, default value: Word? = nil
    ) -> Parameter where Value == Word? {
        var schema = Schema.words(Word.allCases.map(\.rawValue))
        if let value { schema = schema.with(default: .text(value.rawValue)) }
        return Parameter(name, text, schema) { (query) throws(Problem) in try query.choice(name, type) }
    }
}

extension Schema {
    /// The same with what a missing value is taken for.
    package func with(default value: DocumentNode) -> Schema {
        guard case .keywords(let members) = self else { return self }
        return .keywords(members + [.init("default", value)])
    }
}

extension [any QueryParameter] {
    /// The parameters of a list that is told in parts: ``GatewayContext/page(of:limit:most:)`` reads them.
    package static var page: [any QueryParameter] { page() }

    /// The same for a list with other limits.
    package static func page(limit: Int = 50, most: Int = 500) -> [any QueryParameter] {
        [
            Parameter.integer("limit", "At most so many.", in: 1...most, default: limit),
            Parameter.text("cursor", "The \"next\" of the page before.", atMost: 1_000),
        ]
    }
}
