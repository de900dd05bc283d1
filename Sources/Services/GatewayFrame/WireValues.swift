package import JSON
package import Shapes
package import Store

extension UniqueID: WireValue {
    package static var schema: Schema { .text("uuid") }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension InputKind<UniqueID> {
    package static var id: InputKind<UniqueID> {
        InputKind<UniqueID>(.text("uuid"), accepted: "a UUID") { json in
            json.text.flatMap { UniqueID($0.lowercased()) }
        }
    }
}
