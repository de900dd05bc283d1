package import Accounts
import CSodium
import Crypto
import Encodings

/// Bytes that nobody can guess, and how they are kept.
package enum Secrets {
    /// Random bytes of the system's generator.
    ///
    /// - Precondition: The machine has a source of randomness.
    package static func bytes(_ count: Int) -> [UInt8] {
        Sodium.require()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// SHA-256: what is stored of a secret of 112 bits or more (OWASP ASVS 5.0, 6.5.2).
    package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(SHA256.hash(data: Array(bytes)))
    }

    /// Whether two secrets are the same, in a time that only their lengths decide.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }

    /// The text of a new secret of 256 bits: for cookies and links.
    package static func text() -> String { Base64URL.text(bytes(32)) }

    /// What is stored of the text of such a secret; `nil` for what is no such text.
    package static func digest(text: some StringProtocol) -> [UInt8]? {
        guard let bytes = Base64URL.bytes(text), bytes.count == 32 else { return nil }
        return digest(bytes)
    }

    /// Whether a token's secret is the one whose digest is stored.
    package static func fits(_ token: TokenText, digest stored: [UInt8]) -> Bool {
        areEqual(digest(token.secret), stored)
    }

    /// The texts of a user's new recovery codes with what is stored of them.
    package static func recoveryCodes() -> [(text: String, digest: [UInt8])] {
        (0..<RecoveryCode.count).map { _ in
            let bytes = bytes(RecoveryCode.size)
            return (RecoveryCode.text(bytes), digest(bytes))
        }
    }
}
