/// Base64 for URLs, without padding, by RFC 4648, section 5.
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        BitDigits.text(bytes, alphabet: alphabet, bits: 6)
    }

    /// The bytes; `nil` for another alphabet, for padding, and where bits that say nothing are not zero.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        BitDigits.bytes(text, alphabet: alphabet, bits: 6)
    }
}

/// Base32 without padding by RFC 4648, section 6, in capitals: what authenticator apps read.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        BitDigits.text(bytes, alphabet: alphabet, bits: 5)
    }

    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        BitDigits.bytes(text, alphabet: alphabet, bits: 5)
    }
}

/// Two lower-case digits a byte.
package enum Hexadecimal {
    private static let alphabet = Array("0123456789abcdef".utf8)

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        BitDigits.text(bytes, alphabet: alphabet, bits: 4)
    }

    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        text.utf8.count % 2 == 0 ? BitDigits.bytes(text, alphabet: alphabet, bits: 4) : nil
    }
}

/// Bytes as digits of a few bits each, the most significant first.
enum BitDigits {
    static func text(_ bytes: some Sequence<UInt8>, alphabet: [UInt8], bits: Int) -> String {
        var digits: [UInt8] = []
        var (buffer, held) = (0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            held += 8
            while held >= bits {
                held -= bits
                digits.append(alphabet[buffer >> held])
                buffer &= 1 << held - 1
            }
        }
        if held > 0 { digits.append(alphabet[buffer << (bits - held)]) }
        return String(decoding: digits, as: UTF8.self)
    }

    static func bytes(_ text: some StringProtocol, alphabet: [UInt8], bits: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, held) = (0, 0)
        for digit in text.utf8 {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            buffer = buffer << bits | value
            held += bits
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(buffer >> held))
                buffer &= 1 << held - 1
            }
        }
        // A whole digit that is left over stands for no byte.
        return held < bits && buffer == 0 ? bytes : nil
    }
}
