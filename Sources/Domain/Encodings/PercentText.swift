/// Percent encoding by RFC 3986: only unreserved characters stay as they are.
package enum PercentText {
    /// Every byte that is not unreserved as `%` and two hexadecimal digits.
    package static func encoded(_ text: String) -> String {
        text.utf8.map { isUnreserved($0) ? String(Unicode.Scalar($0)) : "%\(hexadecimal($0))" }.joined()
    }

    /// Two digits in capitals.
    package static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
