import Encodings

/// A code for the day on which the authenticator is lost; good once.
///
/// 120 bits, so that a plain SHA-256 of it may be stored (OWASP ASVS 5.0, 6.5.2), written as four groups of
/// six characters that nobody confuses.
package enum RecoveryCode {
    /// How many a user gets.
    package static let count = 8
    /// Bytes of one.
    package static let size = 15
    /// Crockford's digits: no I, L, O and U.
    private static let digits = BitDigits("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// The text of a code.
    ///
    /// - Parameter bytes: Fifteen that nobody can guess.
    /// - Returns: 27 characters.
    package static func text(_ bytes: [UInt8]) -> String {
        let text = Array(digits.text(bytes))
        return stride(from: 0, to: text.count, by: 6)
            .map { String(text[$0..<min($0 + 6, text.count)]) }.joined(separator: "-")
    }

    /// The bytes of a code as somebody typed it, with or without dashes and capitals; `nil` for no code.
    package static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 64 else { return nil }
        let plain = text.uppercased().filter { $0 != "-" && $0 != " " }
            .replacing("O", with: "0").replacing("I", with: "1").replacing("L", with: "1")
        let bytes = digits.bytes(plain.utf8)
        return bytes?.count == size ? bytes : nil
    }
}
