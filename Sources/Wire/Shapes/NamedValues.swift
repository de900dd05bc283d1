package import JSON

/// Members whose names are data, in the order in which they are told.
package struct NamedValues<Value: WireValue>: WireValue {
    package static var schema: Schema { .map(Value.schema) }

    private let members: [(name: String, value: Value)]

    package init(_ members: [(String, Value)]) { self.members = members.map { (name: $0.0, value: $0.1) } }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for member in members {
            writer.key(member.name)
            member.value.write(to: &writer)
        }
        writer.endObject()
    }
}
