import Encodings
import Support
import Testing

@testable import Channels

@Suite("Base64")
struct Base64Tests {
    @Test(
        "is written as in RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func writes(_ text: String, _ expected: String) {
        #expect(Base64.text(text.utf8) == expected)
    }

    @Test("is read back equal, in both alphabets")
    func readsBack() {
        property { generator in
            let bytes = (0..<generator.int(0...80)).map { _ in UInt8(generator.int(0...255)) }
            try #require(Base64.bytes(Base64.text(bytes)) == bytes)
            try #require(Base64.bytes(Base64URL.text(bytes)) == bytes)
        }
    }

    @Test(
        "is not read from anything else",
        arguments: ["A", "AB=", "A===", "A B=", "AB", "=", "Zm9v!", "====", "AAAAA"])
    func refuses(_ text: String) {
        // "AB" leaves bits over that are not zero.
        #expect(Base64.bytes(text) == nil)
    }
}
