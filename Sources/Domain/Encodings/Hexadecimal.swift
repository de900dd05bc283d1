/// Two lower-case digits a byte.
package enum Hexadecimal {
    private static let digits = BitDigits("0123456789abcdef")

    package static func text(_ bytes: some Sequence<UInt8>) -> String { digits.text(bytes) }

    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        text.utf8.count % 2 == 0 ? digits.bytes(text.utf8) : nil
    }
}
