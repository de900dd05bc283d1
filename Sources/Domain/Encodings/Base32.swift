/// Base32 without padding by RFC 4648, section 6, in capitals: what authenticator apps read.
package enum Base32 {
    private static let digits = BitDigits("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    package static func text(_ bytes: some Sequence<UInt8>) -> String { digits.text(bytes) }

    package static func bytes(_ text: some StringProtocol) -> [UInt8]? { digits.bytes(text.utf8) }
}
