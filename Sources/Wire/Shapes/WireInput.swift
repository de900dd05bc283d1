import Instruments
package import JSON

/// A body that is taken: its fields are told once, and both its reading with all refusals and its part of the
/// document are made of that.
package protocol WireInput: Described, Sendable {
    /// Its fields in the order in which they are looked at.
    static var shape: InputShape<Self> { get }
    /// What no body at all is taken for; `nil` where there must be one.
    static var whenMissing: Self? { get }
}

extension WireInput {
    package static var document: BodyDocument { shape.document }
    package static var whenMissing: Self? { nil }

    /// Reads a body.
    ///
    /// - Throws: For what is no object, for the first field that is refused or missing, and for one that is
    ///   not known: who misspells an optional field must not believe that it was heard.
    package init(_ value: JSONValue) throws(InputFault) { self = try Self.shape.read(value) }
}

/// The fields of a body that is taken, and how it is made of them.
package struct InputShape<Root>: Sendable {
    /// What the document says of it.
    package let document: BodyDocument
    fileprivate let read: @Sendable (JSONValue) throws(InputFault) -> Root

    /// A body that is read elsewhere, in the words of whoever reads it.
    ///
    /// - Parameters:
    ///   - document: What the document says of it.
    ///   - read: Takes it.
    package init(
        _ document: BodyDocument, reading read: @escaping @Sendable (JSONValue) throws(InputFault) -> Root
    ) {
        (self.document, self.read) = (document, read)
    }

    /// Tells the fields.
    ///
    /// - Parameters:
    ///   - name: As the document calls it.
    ///   - about: One sentence, or none where the name says all.
    ///   - example: In place of what the fields show by themselves.
    ///   - make: Makes the body of its fields, in their order.
    ///   - fields: In the order in which they are looked at.
    package init<each Value>(
        _ name: String, about: String = "", example: DocumentNode? = nil,
        _ make: @escaping @Sendable (repeat each Value) throws(InputFault) -> Root,
        @InputFieldList _ fields: () -> InputFields<repeat each Value>
    ) {
        let fields = fields()
        document = BodyDocument(name, about, isOpen: false, example: example, fields.documents)
        let known = Set(fields.documents.map(\.name))
        read = { (value) throws(InputFault) in
            guard case .object(let members) = value else {
                throw .refused(FieldFault("", value.excerpt, accepted: "an object"))
            }
            let root = try fields.make(members, make)
            if let unknown = members.lazy.map(\.key).filter({ !known.contains($0) }).min() {
                throw .unknown(field: unknown, known: known.sorted())
            }
            return root
        }
    }
}

/// One field of a body that is taken.
package struct InputField<Value>: Sendable {
    let document: FieldDocument
    let kind: InputKind<Value>

    /// Tells a field.
    ///
    /// - Parameters:
    ///   - name: As it is written.
    ///   - kind: What it may have.
    ///   - text: One sentence with the unit; empty where the name says all.
    ///   - example: What the document shows; `nil` leaves an optional field out there.
    package init(
        _ name: String, _ kind: InputKind<Value>, _ text: String = "", example: DocumentNode? = nil
    ) {
        document = FieldDocument(
            name, kind.schema, text, example: example, isRequired: kind.isRequired, standard: kind.standard)
        self.kind = kind
    }

    fileprivate func read(_ members: JSONObject) throws(InputFault) -> Value {
        do throws(InputFault) {
            return try kind.read(members[document.name])
        } catch {
            throw error.inside(document.name)
        }
    }
}

/// The fields of a body below each other.
package struct InputFields<each Value>: Sendable {
    private let fields: (repeat InputField<each Value>)
    let documents: [FieldDocument]

    fileprivate init(_ fields: repeat InputField<each Value>) {
        var documents: [FieldDocument] = []
        for field in repeat each fields { documents.append(field.document) }
        self.fields = (repeat each fields)
        self.documents = documents
    }

    fileprivate func make<Root>(
        _ members: JSONObject, _ make: (repeat each Value) throws(InputFault) -> Root
    ) throws(InputFault) -> Root {
        try make(repeat try (each fields).read(members))
    }
}

/// Puts fields below each other.
@resultBuilder
package enum InputFieldList {
    package static func buildBlock<each Value>(
        _ fields: repeat InputField<each Value>
    ) -> InputFields<repeat each Value> { InputFields(repeat each fields) }
}
