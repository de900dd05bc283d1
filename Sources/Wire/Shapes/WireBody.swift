package import Instruments
package import JSON

/// What a field of an answer may hold.
package protocol WireValue: SendableMetatype {
    static var schema: Schema { get }
    func write(to writer: inout JSONWriter)
    /// As a table shows it.
    var plainText: String { get }
}

/// A body that is shown: its fields are told once, and both its JSON and its part of the document are made of
/// that.
package protocol WireBody: WireValue, Described {
    /// Its fields in the order in which they are written.
    static var shape: BodyShape<Self> { get }
}

extension WireBody {
    package static var document: BodyDocument { shape.document }
    package static var schema: Schema { .body(Self.self) }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the fields without the braces.
    package func writeMembers(to writer: inout JSONWriter) {
        for field in Self.shape.fields { field.write(self, &writer) }
    }
}

extension WireValue {
    /// The JSON.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

/// The fields of a body that is shown.
package struct BodyShape<Root>: Sendable {
    /// What the document says of it.
    package let document: BodyDocument
    let fields: [Field<Root>]

    /// Tells the fields.
    ///
    /// - Parameters:
    ///   - name: As the document calls it.
    ///   - text: One sentence, or none where the name says all.
    ///   - example: In place of what the fields show by themselves.
    ///   - sorted: Whether they are written in the order of the alphabet, those of other bodies among them.
    ///   - fields: Else in the order in which they are written.
    package init(
        _ name: String, _ text: String = "", example: DocumentNode? = nil, sorted: Bool = false,
        @FieldList<Root> _ fields: () -> [Field<Root>]
    ) {
        let fields = fields()
        self.fields = sorted ? fields.flatMap(\.each).sorted { $0.name < $1.name } : fields
        document = BodyDocument(name, text, example: example, self.fields.flatMap(\.documents))
    }
}

/// One field of a body that is shown, or all those of another body that it holds.
package struct Field<Root>: Sendable {
    let documents: [FieldDocument]
    let write: @Sendable (Root, inout JSONWriter) -> Void
    /// As a table shows it; nothing for all fields of another body.
    package let plainText: @Sendable (Root) -> String
    /// Those of another body one by one.
    private let parts: [Field]

    private init(
        _ documents: [FieldDocument], parts: [Field] = [],
        plainText: @escaping @Sendable (Root) -> String = { _ in "" },
        _ write: @escaping @Sendable (Root, inout JSONWriter) -> Void
    ) {
        (self.documents, self.parts, self.plainText, self.write) = (documents, parts, plainText, write)
    }

    /// Itself, or those of another body one by one.
    fileprivate var each: [Field] { parts.isEmpty ? [self] : parts }

    /// As it is written, of one field.
    package var name: String { documents.first?.name ?? "" }

    /// A field that is always there.
    ///
    /// - Parameters:
    ///   - name: As it is written.
    ///   - value: Where it is.
    ///   - text: One sentence with the unit; empty where the name says all.
    ///   - schema: What it may be, where its type does not say all.
    ///   - example: What the document shows.
    package init<Value: WireValue>(
        _ name: String, _ value: @escaping @Sendable (Root) -> Value, _ text: String = "",
        as schema: Schema? = nil, example: DocumentNode? = nil
    ) {
        let document = FieldDocument(name, schema ?? Value.schema, text, example: example)
        self.init([document], plainText: { value($0).plainText }) { root, writer in
            writer.key(name)
            value(root).write(to: &writer)
        }
    }

    /// A field that is left out where there is nothing to say.
    package init<Value: WireValue>(
        ifPresent name: String, _ value: @escaping @Sendable (Root) -> Value?, _ text: String = "",
        as schema: Schema? = nil, example: DocumentNode? = nil
    ) {
        let document = FieldDocument(
            name, schema ?? Value.schema, text, example: example, isRequired: false)
        self.init([document], plainText: { value($0).plainText }) { root, writer in
            guard let value = value(root) else { return }
            writer.key(name)
            value.write(to: &writer)
        }
    }

    /// All fields of another body, among those of this one.
    package init<Part: WireBody>(all part: @escaping @Sendable (Root) -> Part) {
        let parts = Part.shape.fields.flatMap(\.each).map { field in
            Field(field.documents, plainText: { field.plainText(part($0)) }) { root, writer in
                field.write(part(root), &writer)
            }
        }
        self.init(Part.document.fields, parts: parts) { root, writer in
            part(root).writeMembers(to: &writer)
        }
    }
}

/// Puts fields below each other.
@resultBuilder
package enum FieldList<Root> {
    package static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }
    package static func buildExpression(_ fields: [Field<Root>]) -> [Field<Root>] { fields }
    package static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] { fields.flatMap { $0 } }
}

/// JSON that is written already, and which body it is.
package struct WrittenJSON<Body: Described>: WireValue, Sendable {
    package static var schema: Schema { .body(Body.self) }
    package var bytes: [UInt8]

    /// - Parameter bytes: One value; a line feed behind it is left out.
    package init(_ bytes: [UInt8]) { self.bytes = bytes.last == 0x0A ? bytes.dropLast() : bytes }

    package func write(to writer: inout JSONWriter) { writer.raw(bytes) }
}

extension String: WireValue {
    package static var schema: Schema { .text() }
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: WireValue {
    package static var schema: Schema { .boolean }
    package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension WireValue where Self: BinaryInteger {
    package static var schema: Schema { .integer() }
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int: WireValue {}
extension Int32: WireValue {}
extension Int64: WireValue {}
extension UInt8: WireValue {}
extension UInt16: WireValue {}
extension UInt32: WireValue {}
extension UInt64: WireValue {}

extension InstrumentID: WireValue {
    package static var schema: Schema { .text() }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension Optional: WireValue where Wrapped: WireValue {
    package static var schema: Schema { .nullable(Wrapped.schema) }
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Array: WireValue where Element: WireValue {
    package static var schema: Schema { .array(Element.schema, nil) }
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }
}

/// Members in the alphabetical order of their names, which are data.
extension Dictionary: WireValue where Key == String, Value: WireValue {
    package static var schema: Schema { .map(Value.schema) }
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            value.write(to: &writer)
        }
        writer.endObject()
    }
}

extension JSONValue: WireValue {
    package static var schema: Schema { .any }
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}
