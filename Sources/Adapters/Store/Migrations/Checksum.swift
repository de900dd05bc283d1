import Crypto
import Encodings

/// What a text is known by.
enum Checksum {
    /// The SHA-256 of its UTF-8 in lower-case hexadecimal digits.
    static func of(_ text: String) -> String { Hexadecimal.text(SHA256.hash(data: Array(text.utf8))) }
}
