/// Why bytes are not a message that can be used.
public enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are not a protobuf message of our schema.
    case notProtobuf
    /// The envelope holds no event that this program knows.
    case noEvent
    /// A field's value is outside what its comment in the schema allows.
    case invalidField(StaticString)

    /// One line for a person.
    public var description: String {
        switch self {
        case .notProtobuf: "not a protobuf Envelope"
        case .noEvent: "an Envelope without a known event"
        case .invalidField(let name): "field \(name) has a value that the schema does not allow"
        }
    }

    /// Equal when both say the same.
    public static func == (left: WireError, right: WireError) -> Bool {
        left.description == right.description
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
