import Crypto
import Encodings
package import Instruments

/// Time-based one-time passwords by RFC 6238 with SHA-1 and steps of 30 s, as authenticator apps make them.
package enum OneTimePassword {
    /// Bytes of a new secret; RFC 4226, section 4, recommends 20.
    package static let secretSize = 20
    /// Seconds of a step.
    package static let period: Int64 = 30
    /// Digits of a code.
    package static let digits = 6

    /// The code of a step (RFC 4226, section 5.3).
    static func code(_ secret: [UInt8], step: Int64, digits: Int = digits) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let key = SymmetricKey(data: secret)
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        let offset = Int(mac[19] & 15)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The step that a code belongs to, one before to one after that of now; `nil` for a wrong code.
    ///
    /// - Parameters:
    ///   - code: What was typed.
    ///   - secret: The shared secret.
    ///   - now: The time.
    ///   - last: The newest step that was accepted: it and all before it are not accepted again
    ///     (RFC 6238, section 5.2).
    /// - Returns: The step, to be kept as the newest that was accepted.
    package static func step(of code: String, secret: [UInt8], at now: Timestamp, after last: Int64?)
        -> Int64?
    {
        guard code.utf8.count == digits, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let current = now.nanoseconds / 1_000_000_000 / period
        var found: Int64?
        // All three are computed, whichever fits, so that the time says nothing.
        for step in [current - 1, current, current + 1] where Self.code(secret, step: step) == code {
            if last.map({ step > $0 }) ?? true { found = found ?? step }
        }
        return found
    }

    /// What an app scans: `otpauth://totp/…`.
    ///
    /// Source: Google Authenticator, "Key Uri Format", 2018.
    package static func address(secret: [UInt8], of email: EmailAddress, issuer: String = "Bitpal") -> String
    {
        let label = escaped(issuer) + ":" + escaped(email.text)
        return "otpauth://totp/\(label)?secret=\(Base32.text(secret))&issuer=\(escaped(issuer))"
            + "&algorithm=SHA1&digits=\(digits)&period=\(period)"
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                String(Unicode.Scalar(byte))
            default: "%" + Hexadecimal.text([byte]).uppercased()
            }
        }.joined()
    }
}
