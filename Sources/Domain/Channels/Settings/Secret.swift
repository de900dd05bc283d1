import Encodings

/// A key, token or password, which no description, dump or reflection shows.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The bytes, for the one who signs or sends.
    public let bytes: [UInt8]

    /// Takes bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Takes a text.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Takes Base64, of URLs or not; `nil` for what is none.
    public init?(base64 text: String) {
        guard let bytes = Base64.bytes(text) else { return nil }
        self.bytes = bytes
    }

    /// The bytes as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The same for all.
    public var description: String { "(secret)" }
    /// The same for all.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
