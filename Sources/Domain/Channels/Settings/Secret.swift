import Encodings

/// A key, token or password, which no description, dump or reflection shows.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The bytes, for the one who signs or sends.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Takes Base64, of URLs or not; `nil` for what is none.
    package init?(base64 text: String) {
        guard let bytes = Base64.bytes(text) else { return nil }
        self.bytes = bytes
    }

    /// The bytes as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
