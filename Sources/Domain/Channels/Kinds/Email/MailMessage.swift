import Crypto
import Encodings
package import Instruments

/// A letter in plain text and HTML by RFC 5322 and RFC 2046.
package enum MailMessage {
    /// The letter.
    ///
    /// - Throws: ``FieldFault`` without a sender, or with an address to unsubscribe at that a header cannot
    ///   hold.
    package static func mail(
        _ settings: EmailSettings, _ notice: Notice, _ text: NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> OutgoingMail {
        guard let sender = context.sender else {
            throw FieldFault("sender", nil, accepted: "the address that letters come from")
        }
        return whole(
            settings, notice.id, text, notice.link(on: context.page), context.unsubscribe, sender,
            at: context.now, try unsubscribing(context.unsubscribe))
    }

    /// A letter that is about no notice.
    ///
    /// - Parameters:
    ///   - id: What it is known by, the same at each attempt.
    ///   - address: To whom: an address without a name.
    ///   - text: What it says.
    ///   - link: Where its button leads.
    ///   - sender: From whom.
    ///   - now: The time of this attempt.
    /// - Returns: The letter.
    package static func letter(
        _ id: String, to address: String, _ text: NoticeText, link: String, from sender: MailSender,
        at now: Timestamp
    ) -> OutgoingMail {
        whole(EmailSettings(to: address, name: ""), id, text, link, nil, sender, at: now, [])
    }

    private static func whole(
        _ settings: EmailSettings, _ id: String, _ text: NoticeText, _ link: String?, _ unsubscribe: String?,
        _ sender: MailSender, at now: Timestamp, _ more: [String]
    ) -> OutgoingMail {
        let boundary = "=_" + Hexadecimal.text(SHA256.hash(data: Array(id.utf8)).prefix(16))
        var lines = head(settings, id, text, sender, at: now) + more
        lines += ["MIME-Version: 1.0", "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", ""]
        let parts = [
            part("plain", plain(text, link, unsubscribe)),
            part("html", html(text, link, unsubscribe)),
        ]
        let body = parts.map { "--\(boundary)\r\n\($0)" }.joined()
        let message = lines.joined(separator: "\r\n") + "\r\n" + body + "--\(boundary)--\r\n"
        return OutgoingMail(from: sender.address, to: settings.to, message: Array(message.utf8))
    }

    private static func head(
        _ settings: EmailSettings, _ id: String, _ text: NoticeText, _ sender: MailSender, at now: Timestamp
    ) -> [String] {
        let to =
            settings.name.isEmpty
            ? settings.to : "\(MailEncoding.phrase(settings.name, after: 4))\r\n <\(settings.to)>"
        let from =
            sender.name.isEmpty
            ? sender.address : "\(MailEncoding.phrase(sender.name, after: 6))\r\n <\(sender.address)>"
        return [
            "From: \(from)", "To: \(to)",
            "Subject: \(MailEncoding.header(TextCut.bytes(text.title, 400), after: 9))",
            "Date: \(HTTPDate.mailText(now))",
            "Message-ID: <\(identifier(id))@\(sender.domain)>",
            "Auto-Submitted: auto-generated", "Content-Language: \(text.language)",
        ]
    }

    /// One click by RFC 8058, which needs both headers.
    private static func unsubscribing(_ address: String?) throws(FieldFault) -> [String] {
        guard let address else { return [] }
        let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x3E }
        guard address.hasPrefix("https://"), address.utf8.count <= 900, isPlain else {
            throw FieldFault(
                "unsubscribe", String(address.prefix(60)),
                accepted: "an https URL of at most 900 ASCII bytes")
        }
        return ["List-Unsubscribe: <\(address)>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
    }

    /// The delivery's id as the left part of a Message-ID: letters and digits stay, the rest is `=XX`.
    ///
    /// A long one is given by its SHA-256.
    private static func identifier(_ id: String) -> String {
        let text = id.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: String(Unicode.Scalar(byte))
            case 0x3A: "+"
            default: "=\(PercentText.hexadecimal(byte))"
            }
        }.joined()
        let isUsable = !text.isEmpty && text.utf8.count <= 200
        return isUsable ? text : Hexadecimal.text(SHA256.hash(data: Array(id.utf8)))
    }

    private static func part(_ kind: String, _ text: String) -> String {
        let (encoding, body) = MailEncoding.body(text)
        return "Content-Type: text/\(kind); charset=utf-8\r\n"
            + "Content-Transfer-Encoding: \(encoding)\r\n\r\n\(body)"
    }

    private static func plain(_ text: NoticeText, _ link: String?, _ unsubscribe: String?) -> String {
        var lines = [text.title, ""] + text.lines
        if let link { lines += ["", link] }
        if let unsubscribe { lines += ["", "-- ", "\(text.unsubscribe): \(unsubscribe)"] }
        return lines.joined(separator: "\n")
    }

    private static func html(_ text: NoticeText, _ link: String?, _ unsubscribe: String?) -> String {
        let direction = text.isRightToLeft ? "rtl" : "ltr"
        var lines = [
            "<!doctype html>", "<html lang=\"\(TextEscape.html(text.language))\" dir=\"\(direction)\">",
            "<head><meta charset=\"utf-8\"><title>\(TextEscape.html(text.title))</title></head>",
            "<body style=\"font-family: sans-serif\">", "<h2>\(TextEscape.html(text.title))</h2>",
        ]
        lines += text.lines.map { "<p>\(TextEscape.html($0))</p>" }
        if let link {
            lines.append("<p><a href=\"\(TextEscape.html(link))\">\(TextEscape.html(text.view))</a></p>")
        }
        if let unsubscribe {
            lines.append(
                "<p><small><a href=\"\(TextEscape.html(unsubscribe))\">\(TextEscape.html(text.unsubscribe))</a></small></p>"
            )
        }
        return (lines + ["</body>", "</html>"]).joined(separator: "\n")
    }
}
