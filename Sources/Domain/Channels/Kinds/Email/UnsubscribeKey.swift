import Crypto
import Encodings

/// Signs and checks the links in letters that switch a channel off with one click (RFC 8058).
///
/// A token is the channel's id, a dot, and the HMAC-SHA256 of it as Base64 for URLs. It holds as long as the
/// key: a letter of last year can be unsubscribed from. It names nobody, and opens nothing else.
package struct UnsubscribeKey: Sendable {
    /// Bytes of a new key.
    package static let size = 32

    private let key: SymmetricKey

    /// Takes the bytes that are kept for all who sign and check.
    package init(_ secret: Secret) { key = SymmetricKey(data: secret.bytes) }

    /// The token of a channel, in letters, digits, `-`, `_` and one dot.
    package func token(of channel: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Self.content(channel), using: key)
        return "\(channel).\(Base64URL.text(Array(code)))"
    }

    /// The channel's id, if the token is one of ours.
    ///
    /// - Returns: `nil` for anything else; the comparison takes the same time for each.
    package func channel(of token: String) -> String? {
        guard token.utf8.count <= 200, let dot = token.lastIndex(of: ".") else { return nil }
        let channel = String(token[..<dot])
        guard let code = Base64.bytes(String(token[token.index(after: dot)...])) else { return nil }
        let isOurs = HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: Self.content(channel), using: key)
        return isOurs ? channel : nil
    }

    /// The link for a header, where the page has one.
    package func link(to channel: String, on page: String) -> String { "\(page)?token=\(token(of: channel))" }

    private static func content(_ channel: String) -> [UInt8] { Array("bitpal unsubscribe\0\(channel)".utf8) }
}
