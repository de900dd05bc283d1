import Instruments
import Support
import Testing

@testable import Channels

@Suite("A letter")
struct MailTests {
    private static func letter(_ text: NoticeText) throws -> String {
        guard
            case .mail(let mail) = try ChannelFixtures.settings("email").outgoing(
                try ChannelFixtures.notice(), text, try ChannelFixtures.context())
        else { throw ChannelFixtures.Missing() }
        #expect(mail.from == "alerts@bitpal.example" && mail.to == "ada@example.org")
        return String(decoding: mail.message, as: UTF8.self)
    }

    @Test("has the headers that a mailbox expects")
    func hasHeaders() throws {
        let head = try Self.letter(ChannelFixtures.text("Prix: 61 003 €")).split(separator: "\r\n\r\n")[0]
        let id = "0190a0b0-0000-7000-8000-000000000001+3+0190a0b0-0000-7000-8000-0000000000ff"
        for line in [
            "From: \"Bitpal\"\r\n <alerts@bitpal.example>\r\n",
            "To: =?UTF-8?B?QWRhIEzDtnZlbGFjZQ==?=\r\n <ada@example.org>\r\n",
            "Subject: =?UTF-8?B?UHJpeDogNjEgMDAzIOKCrA==?=\r\n",
            "Date: Thu, 25 Feb 2021 15:02:10 +0000\r\n",
            "Message-ID: <\(id)@bitpal.example>\r\n",
            "List-Unsubscribe: <https://bitpal.example/unsubscribe?token=abc>\r\n",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
            "MIME-Version: 1.0\r\n",
        ] {
            #expect(head.contains(line), "\(line)")
        }
    }

    @Test("has short ASCII lines that end in CRLF, whatever its text is")
    func hasShortLines() {
        property { generator in
            let letters: [Character] = ["a", " ", "é", "日", "👩‍👩‍👧", "=", ".", "F", "\n", "\t", "?", "\r\n"]
            let length = generator.int(0...300)
            let body = String((0..<length).map { _ in generator.pick(letters) })
            let message = try Self.letter(ChannelFixtures.text(body, [body, "From x", ".", "y "]))
            let bytes = Array(message.utf8)
            // A Message-ID and a URL cannot be folded.
            let lines = message.split(separator: "\r\n").filter { !$0.contains(": <") }
            try #require(lines.allSatisfy { $0.utf8.count <= 78 })
            try #require(bytes.allSatisfy { $0 < 0x80 && $0 != 0 })
            for (index, byte) in bytes.enumerated() {
                if byte == 0x0A { try #require(index > 0 && bytes[index - 1] == 0x0D) }
                if byte == 0x0D { try #require(bytes[index + 1] == 0x0A) }
            }
        }
    }

    @Test("takes what a header says from no text")
    func keepsHeaders() throws {
        let message = try Self.letter(ChannelFixtures.text("a\r\nBcc: b@example.org", ["x"]))
        #expect(!message.contains("\nBcc:"))
    }

    @Test(
        "is quoted-printable as RFC 2045 has it",
        arguments: [
            ("a=b", "a=3Db\r\n"), ("a ", "a=20\r\n"), ("ü", "=C3=BC\r\n"), (".", "=2E\r\n"), ("", "\r\n"),
            ("From", "=46rom\r\n"),
            (String(repeating: "x", count: 76), String(repeating: "x", count: 75) + "=\r\nx\r\n"),
        ])
    func quotes(_ text: String, _ expected: String) {
        #expect(MailEncoding.quotedPrintable(text) == expected)
    }

    @Test(
        "goes only to addresses",
        arguments: ["a", "@b", "a@", "a@b@c", "a b@c.de", "a@-c.de", "a..b@c.de", "ä@c.de", "a@c_d"])
    func refusesAddress(_ text: String) {
        #expect(!MailAddress.isValid(text))
        #expect(MailAddress.isValid("a.b+c@d-e.example"))
        let labels = Array(repeating: String(repeating: "x", count: 63), count: 3).joined(separator: ".")
        #expect(MailAddress.isValid("\(String(repeating: "a", count: 62))@\(labels)"))
        #expect(!MailAddress.isValid("\(String(repeating: "a", count: 63))@\(labels)"))
    }
}
