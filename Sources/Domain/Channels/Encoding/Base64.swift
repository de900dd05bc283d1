/// Base64 by RFC 4648, standard (section 4, padded) and URL-safe (section 5, without padding).
enum Base64 {
    private static let standard = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let safe = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = digits(bytes, standard)
        while text.count % 4 != 0 { text.append(0x3D) }
        return String(decoding: text, as: UTF8.self)
    }

    static func urlText(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: digits(bytes, safe), as: UTF8.self)
    }

    private static func digits(_ bytes: some Sequence<UInt8>, _ alphabet: [UInt8]) -> [UInt8] {
        var digits: [UInt8] = []
        var (buffer, bits) = (UInt32(0), 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                digits.append(alphabet[Int(buffer >> UInt32(bits) & 63)])
            }
            buffer &= 1 << UInt32(bits) - 1
        }
        if bits > 0 { digits.append(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
        return digits
    }

    /// The bytes of either alphabet, with or without padding; `nil` for anything else.
    static func bytes(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        let isPadded = digits.last == 0x3D
        guard !isPadded || digits.count % 4 == 0 else { return nil }
        for _ in 0..<2 where digits.last == 0x3D { digits.removeLast() }
        var bytes: [UInt8] = []
        var (buffer, bits) = (UInt32(0), 0)
        for digit in digits {
            guard let value = value(digit) else { return nil }
            buffer = buffer << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                buffer &= 1 << UInt32(bits) - 1
            }
        }
        // One digit alone is no byte, and bits that are left over must be zero.
        return digits.count % 4 != 1 && buffer == 0 ? bytes : nil
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 0x41...0x5A: UInt32(digit) - 0x41
        case 0x61...0x7A: UInt32(digit) - 0x61 + 26
        case 0x30...0x39: UInt32(digit) - 0x30 + 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}
