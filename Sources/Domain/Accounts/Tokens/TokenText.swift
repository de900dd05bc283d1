import Encodings
package import Instruments

/// The text of an API token: `cm_`, the key of its row as 32 hexadecimal digits, `_`, and its secret.
///
/// The secret is 32 bytes in Base64 for URLs (43 characters). Only its SHA-256 is stored.
package struct TokenText: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// How each token begins, so that scanners of leaked secrets find them.
    package static let prefix = "cm_"
    /// What a refusal says is accepted.
    static let form = "cm_, 32 hexadecimal digits, _ and 43 characters of Base64 for URLs"

    /// The key of the token's row: 16 bytes.
    package let id: [UInt8]
    /// 32 bytes that nobody can guess.
    package let secret: [UInt8]

    /// Joins a key and a secret.
    ///
    /// - Precondition: They have 16 and 32 bytes.
    package init(id: [UInt8], secret: [UInt8]) {
        precondition(id.count == 16 && secret.count == 32, "a token has a key of 16 and a secret of 32 bytes")
        self.id = id
        self.secret = secret
    }

    /// The token of whoever works on the machine itself, which no row has: its key is that of the local user.
    package static func ofOperator(_ secret: [UInt8]) -> TokenText {
        TokenText(id: operatorID, secret: secret)
    }

    /// Whether it is one of ``ofOperator(_:)``.
    package var isOperators: Bool { id == Self.operatorID }

    private static let operatorID: [UInt8] = [0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 1]

    /// Reads a token.
    ///
    /// - Throws: ``FieldFault``, the same for every other form; it does not repeat the text.
    package init(parsing text: some StringProtocol) throws(FieldFault) {
        let bytes = Array(text.utf8)
        let head = Array(TokenText.prefix.utf8)
        guard bytes.count == 79, bytes.starts(with: head), bytes[35] == 0x5F,
            let id = Hexadecimal.bytes(String(decoding: bytes[3..<35], as: UTF8.self)),
            let secret = Base64URL.bytes(String(decoding: bytes[36...], as: UTF8.self)), secret.count == 32
        else { throw FieldFault("token", "of another form", accepted: TokenText.form) }
        self.id = id
        self.secret = secret
    }

    /// The whole text, to be shown once.
    package var text: String {
        TokenText.prefix + Hexadecimal.text(id) + "_" + Base64URL.text(secret)
    }

    /// Without the secret.
    package var description: String { TokenText.prefix + Hexadecimal.text(id) + "_(secret)" }
    /// Without children, so that no dump shows the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
