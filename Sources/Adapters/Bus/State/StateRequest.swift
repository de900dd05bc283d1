/// A question about retained state, as it travels.
package struct StateRequest {
    /// Comes back in every frame of the answer.
    package let id: UInt64
    /// Beginnings of topics, each ending in a dot; "" is everything.
    package let prefixes: [String]

    /// A question may name at most so many prefixes.
    package static let prefixLimit = StateExchange.prefixLimit

    package init(id: UInt64, prefixes: [String]) {
        self.id = id
        self.prefixes = prefixes
    }

    /// Reads a frame; `nil` when it is no question or names too many prefixes or one that is too long.
    package init?(_ frame: UnsafeRawBufferPointer) {
        var reader = ProtoReader(frame)
        var id: UInt64 = 0
        var prefixes: [String] = []
        while let field = reader.next() {
            switch (field.number, field.bytes) {
            case (1, nil): id = field.value
            case (2, let bytes?):
                guard prefixes.count < Self.prefixLimit, bytes.count <= 255,
                    let prefix = String(validating: bytes, as: UTF8.self)
                else { return nil }
                prefixes.append(prefix)
            default: break
            }
        }
        guard !reader.isMalformed, !prefixes.isEmpty else { return nil }
        self.id = id
        self.prefixes = prefixes
    }

    /// The frame that carries it.
    package var frame: [UInt8] {
        var writer = ProtoWriter()
        writer.append(1, id)
        for prefix in prefixes { writer.append(2, prefix) }
        return writer.bytes
    }
}
