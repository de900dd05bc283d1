import Encodings

/// Text as mail servers of any age carry it: in ASCII, in short lines.
enum MailEncoding {
    /// A header's text: as it is when it is plain ASCII, else encoded words (RFC 2047) of whole scalars.
    ///
    /// A word is at most 75 bytes and a line at most 76, so the first word leaves room for the name.
    static func header(_ text: String, after name: Int) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        if isPlain, text.utf8.count + name <= 76, !text.contains("=?") { return text }
        // "=?UTF-8?B?" and "?=" are 12 bytes, so 63 are left for Base64: 45 bytes of text.
        let clean = String(text.map { $0.isNewline ? " " : $0 })
        var words: [[UInt8]] = [[]]
        var limit = max((76 - name - 12) / 4 * 3, 3)
        for scalar in clean.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if (words.last?.count ?? 0) + bytes.count > min(limit, 45) {
                words.append([])
                limit = 45
            }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Base64.text($0))?=" }.joined(separator: "\r\n ")
    }

    /// A name before an address: quoted when it is ASCII, else encoded words.
    static func phrase(_ text: String, after name: Int) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && text.utf8.count < 60
        guard isPlain, !text.contains("=?") else { return header(text, after: name) }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// A body: quoted-printable, or Base64 when that is shorter.
    static func body(_ text: String) -> (name: String, text: String) {
        let quoted = quotedPrintable(text)
        let plain = text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
        let base64 = lines(of: Base64.text(plain.utf8))
        return base64.utf8.count < quoted.utf8.count ? ("base64", base64) : ("quoted-printable", quoted)
    }

    private static func lines(of digits: String) -> String {
        let bytes = Array(digits.utf8)
        return stride(from: 0, to: bytes.count, by: 76).map { start in
            String(decoding: bytes[start..<min(start + 76, bytes.count)], as: UTF8.self) + "\r\n"
        }.joined()
    }

    /// Quoted-printable by RFC 2045, 6.7: lines of at most 76 bytes that do not end with a blank.
    static func quotedPrintable(_ text: String) -> String {
        let plain = text.replacing("\r\n", with: "\n")
        return plain.split(separator: "\n", omittingEmptySubsequences: false)
            .map { quotedLine(Array($0.utf8)) + "\r\n" }.joined()
    }

    private static func quotedLine(_ bytes: [UInt8]) -> String {
        var line = ""
        var width = 0
        for (index, byte) in bytes.enumerated() {
            let isBlank = byte == 0x20 || byte == 0x09
            let isLiteral = (0x21...0x7E).contains(byte) && byte != 0x3D
            // A dot at the start of a line is kept from SMTP, and "From " from mailboxes.
            let isSafe = width > 0 || (byte != 0x2E && byte != 0x46)
            let isPlain = (isLiteral && isSafe) || (isBlank && index < bytes.count - 1)
            let token = isPlain ? String(Unicode.Scalar(byte)) : "=\(PercentText.hexadecimal(byte))"
            if width + token.utf8.count > 75 {
                line += "=\r\n"
                width = 0
            }
            line += token
            width += token.utf8.count
        }
        return line
    }
}
