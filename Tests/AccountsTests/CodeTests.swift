import Encodings
import Instruments
import Support
import Testing

@testable import Accounts

@Suite("Codes and tokens")
struct CodeTests {
    /// RFC 6238, appendix B, the rows of SHA-1.
    fileprivate static let vectors: [(Int64, String)] = [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ]

    private static let secret = Array("12345678901234567890".utf8)

    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: seconds * 1_000_000_000)
    }

    @Test("equal those of RFC 6238", arguments: CodeTests.vectors)
    func published(seconds: Int64, code: String) throws {
        #expect(OneTimePassword.code(Self.secret, step: seconds / 30, digits: 8) == code)
        // The last six digits are those of a code with six.
        guard seconds < 9_000_000_000 else { return }
        let short = String(code.suffix(6))
        let step = OneTimePassword.step(of: short, secret: Self.secret, at: Self.time(seconds), after: nil)
        #expect(step == seconds / 30)
    }

    @Test("hold one step early and late, and only once")
    func window() {
        let step = Int64(50_000_000)
        let code = OneTimePassword.code(Self.secret, step: step)
        func found(_ offset: Int64, after last: Int64? = nil) -> Int64? {
            OneTimePassword.step(
                of: code, secret: Self.secret, at: Self.time((step + offset) * 30), after: last)
        }
        #expect([-2, -1, 0, 1, 2].map { found($0) } == [nil, step, step, step, nil])
        #expect(found(0, after: step - 1) == step)
        #expect(found(0, after: step) == nil)
        #expect(found(-1, after: step + 1) == nil)
        for wrong in ["", "12345", "1234567", "12345a", "١٢٣٤٥٦"] {
            #expect(
                OneTimePassword.step(of: wrong, secret: Self.secret, at: Self.time(step * 30), after: nil)
                    == nil)
        }
    }

    @Test("of recovery are read as people type them")
    func recovery() throws {
        let bytes = [UInt8](1...15)
        let text = RecoveryCode.text(bytes)
        #expect(text.count == 27 && text.split(separator: "-").map(\.count) == [6, 6, 6, 6])
        #expect(RecoveryCode.bytes(text.lowercased().replacing("-", with: " ")) == bytes)
        #expect(RecoveryCode.bytes(text.replacing("0", with: "o").replacing("1", with: "l")) == bytes)
        #expect(RecoveryCode.bytes(String(text.dropLast())) == nil && RecoveryCode.bytes("123456") == nil)
    }

    @Test("of programs are read back, and anything else is refused with one sentence that shows none of it")
    func tokens() throws {
        let token = TokenText(id: [UInt8](0..<16), secret: [UInt8](100..<132))
        #expect(token.text.hasPrefix("cm_000102030405060708090a0b0c0d0e0f_") && token.text.utf8.count == 79)
        #expect(try TokenText(parsing: token.text) == token)
        #expect(!"\(token)".contains("ZGVm") && !String(reflecting: token).contains("100"))
        let text = token.text
        let last = text.index(before: text.endIndex)
        let wrong = [
            "", "cm_", "cm__", String(text.dropLast()), text + "A", text.uppercased(),
            text.replacing("cm_", with: "sk_"), text.replacing("_ZGVm", with: "-ZGVm"),
            // The last digit stands for four bits: two more say nothing and must be zero.
            text.replacingCharacters(last, with: "B"), String(repeating: "é", count: 39) + "x",
        ]
        for text in wrong {
            let fault = #expect(throws: FieldFault.self) { try TokenText(parsing: text) }
            #expect(fault?.field == "token" && fault?.value == "of another form")
        }
    }

    @Test("in digits of few bits come back whole")
    func digits() {
        property { generator in
            let bytes = (0..<generator.int(0...40)).map { _ in UInt8(generator.int(0...255)) }
            try #require(Base64URL.bytes(Base64URL.text(bytes)) == bytes)
            try #require(Base32.bytes(Base32.text(bytes)) == bytes)
            try #require(Hexadecimal.bytes(Hexadecimal.text(bytes)) == bytes)
        }
        // RFC 4648, section 10.
        #expect(Base32.text("foobar".utf8) == "MZXW6YTBOI" && Base64URL.text([0xFB, 0xFF]) == "-_8")
        #expect(
            Base64URL.bytes("Zg==") == nil && Base64URL.bytes("Zh") == nil && Hexadecimal.bytes("f") == nil)
    }
}

extension String {
    fileprivate func replacingCharacters(_ index: Index, with text: String) -> String {
        String(self[..<index]) + text
    }
}
