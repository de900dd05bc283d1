import Instruments

/// A mailbox.
package struct EmailSettings: ChannelReceiver, Hashable {
    static let name = "email"
    static let title = ChannelWords(en: "E-mail", de: "E-Mail", es: "Correo", ja: "メール")
    static let fields = [address, person]
    static let isSuggested = true
    static let wantsCode = true
    static let needs: Set<SendingNeed> = [.unsubscribeLink]

    private static let address = ChannelField(
        "to", .email, label: ChannelWords(en: "Address", de: "Adresse", es: "Dirección", ja: "アドレス"),
        example: "ada@example.org",
        accepted: "an address such as ada@example.org in ASCII, at most 254 bytes",
        where: { MailAddress.isValid($0) })
    private static let person = ChannelField(
        "name", .text(0...128), isRequired: false, "the person's", example: "Ada Lovelace",
        accepted: "a text of at most 128 bytes without line breaks",
        where: { $0.utf8.count <= 128 && !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } })

    /// An address without a name.
    package var to: String
    /// The person's name; may be empty.
    package var name: String

    var host: String { "mail" }

    init(to: String, name: String) { (self.to, self.name) = (to, name) }

    init(_ given: ChannelReader) throws(FieldFault) {
        to = try given.text(Self.address)
        name = try given.optionalText(Self.person) ?? ""
    }

    func outgoing(
        _ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> Outgoing {
        .mail(try MailMessage.mail(self, notice, text(), context))
    }

    /// Codes of a mailbox that is not there, moved or closed: bad address, bad system, moved, disabled.
    private static let ends: Set<String> = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]

    /// Mail servers (RFC 5321, 4.2.1; enhanced codes of RFC 3463).
    ///
    /// Codes are repeated, words are not: the relay is the operator's and names its clients and neighbours.
    func verdict(_ answer: Answer, at now: Timestamp) -> Verdict {
        let said = AnswerText(answer)
        switch answer.status {
        case 200...299: return .delivered
        case 500...599:
            let codes = said.text.split { !($0.isASCII && $0.isNumber) && $0 != "." }.map(String.init)
            let reason =
                "it answers \(answer.status)\(codes.first(where: Self.isEnhanced).map { " \($0)" } ?? "")"
            if codes.contains(where: Self.ends.contains) || answer.status == 551 { return .gone(reason) }
            return .refused(reason)
        default: return .again(after: nil)
        }
    }

    /// Class, subject and detail of a failure that lasts; an address has four parts.
    private static func isEnhanced(_ code: String) -> Bool {
        let parts = code.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "5" && parts[1...].allSatisfy { (1...3).contains($0.count) }
    }
}

extension ChannelKind {
    /// A letter.
    package static let email = ChannelKind(EmailSettings.self)
}
