/// Base64 by RFC 4648, section 4: padded.
package enum Base64 {
    private static let digits = BitDigits(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        readingAlso: [(UInt8(ascii: "-"), UInt8(ascii: "+")), (UInt8(ascii: "_"), UInt8(ascii: "/"))])

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let text = digits.text(bytes)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// The bytes of this alphabet or of that for URLs, with or without padding; `nil` for anything else.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var text = Array(text.utf8)
        guard text.last != UInt8(ascii: "=") || text.count % 4 == 0 else { return nil }
        for _ in 0..<2 where text.last == UInt8(ascii: "=") { text.removeLast() }
        return digits.bytes(text)
    }
}

/// Base64 for URLs by RFC 4648, section 5: without padding.
package enum Base64URL {
    private static let digits = BitDigits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    package static func text(_ bytes: some Sequence<UInt8>) -> String { digits.text(bytes) }

    /// The bytes; `nil` for another alphabet, for padding, and where bits that say nothing are not zero.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? { digits.bytes(text.utf8) }
}
