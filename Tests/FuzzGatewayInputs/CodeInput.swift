import Encodings
import Instruments

@testable import Accounts

/// Bytes that come as text, and what people copy from a slip of paper or an app.
enum CodeInput {
    /// A text stands for its bytes in one form only, and never for more bytes than it has itself.
    static func readEncodings(_ bytes: [UInt8]) {
        let text = bytes.asText
        if let decoded = Base64URL.bytes(text) {
            precondition(Base64URL.text(decoded) == text && decoded.count <= text.utf8.count)
        }
        if let decoded = Base32.bytes(text) {
            precondition(Base32.text(decoded) == text && decoded.count <= text.utf8.count)
        }
        if let decoded = Hexadecimal.bytes(text) {
            precondition(Hexadecimal.text(decoded) == text && decoded.count <= text.utf8.count)
        }
        precondition(Base64URL.bytes(Base64URL.text(bytes)) == bytes, "bytes changed on their way")
        precondition(Base32.bytes(Base32.text(bytes)) == bytes, "bytes changed on their way")
        precondition(Hexadecimal.bytes(Hexadecimal.text(bytes)) == bytes, "bytes changed on their way")
    }

    /// The first line is a code, the rest a secret.
    ///
    /// A code fits one of three half minutes, and not one that was used.
    static func readCodes(_ bytes: [UInt8]) {
        let code = bytes.prefix { $0 != 0x0A }
        let (text, secret) = (Array(code).asText, Array(bytes.dropFirst(code.count + 1)))
        let now = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
        let current = now.nanoseconds / 1_000_000_000 / OneTimePassword.period
        if let step = OneTimePassword.step(of: text, secret: secret, at: now, after: nil) {
            precondition(abs(step - current) <= 1, "a code of another time")
            precondition(
                OneTimePassword.step(of: text, secret: secret, at: now, after: current + 1) == nil,
                "a code that was used")
        }
        for edge in [Int64.min, -1, 0, .max] {
            let time = Timestamp(nanoseconds: edge)
            _ = OneTimePassword.step(of: text, secret: secret, at: time, after: edge)
        }
        if let recovery = RecoveryCode.bytes(text) {
            precondition(recovery.count == RecoveryCode.size, "a code of another length")
            precondition(RecoveryCode.bytes(RecoveryCode.text(recovery)) == recovery, "another code")
        }
        if let token = try? TokenText(parsing: text) {
            precondition(token.text == text && token.id.count == 16 && token.secret.count == 32)
        }
    }
}
