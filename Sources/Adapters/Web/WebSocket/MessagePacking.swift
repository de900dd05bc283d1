/// How a server packs its messages by itself, beside the extensions of the WebSocket protocol.
package enum MessagePacking: Sendable, Hashable, CaseIterable {
    /// A gzip file (RFC 1952) in each binary message.
    case gzip
    /// A raw deflate stream (RFC 1951) in each binary message.
    case deflate

    /// The transform of a new connection: binary messages are unpacked, text comes as it is.
    package var makeTransform: @Sendable () -> WebSocketMessageTransform {
        {
            let inflater = MessageInflater(self)
            return { kind, message, limit, output in
                guard kind == .binary else { return output.append(contentsOf: message) }
                try inflater.unpack(message, limit: limit, into: &output)
            }
        }
    }
}

/// Why a packed message could not be unpacked.
package enum InflateFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// zlib has no memory.
    case noMemory
    /// The message ends in the middle of what it packs.
    case truncated
    /// Not of the form, or its checksum is wrong.
    case damaged
    /// Something follows what is packed.
    case trailing(bytes: Int)
    /// It has more parts than any venue sends in one.
    case tooManyMembers(limit: Int)
    /// Unpacked it would be longer than is accepted.
    case tooLarge(limit: Int)

    /// One clause for a person.
    package var description: String {
        switch self {
        case .noMemory: "no memory to unpack it"
        case .truncated: "it ends before what it packs"
        case .damaged: "it is not packed as the venue packs"
        case .trailing(let bytes): "\(bytes) bytes follow what it packs"
        case .tooManyMembers(let limit): "it has more than \(limit) parts"
        case .tooLarge(let limit): "it is longer than \(limit) bytes when unpacked"
        }
    }
}
