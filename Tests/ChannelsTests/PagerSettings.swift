import Alerting
import Instruments
import JSON

@testable import Channels

/// A kind of channel that there is in tests only: all of it is this file, and its line in ``catalogue``.
///
/// A pager at a company's gateway, which takes a number and a few words.
struct PagerSettings: ChannelReceiver {
    /// The kinds that there are, and this one.
    static let catalogue = ChannelCatalogue(
        ChannelCatalogue.standard.kinds.map(\.receiver) + [PagerSettings.self])

    static let name = "pager"
    static let title = ChannelWords(en: "Pager", de: "Funkruf", es: "Buscapersonas", ja: "ポケベル")
    static let fields = [number, volume, code]

    private static let number = ChannelField(
        "number", .text(4...12), label: ChannelWords(en: "Number", de: "Nummer", es: "Número", ja: "番号"),
        "the pager's", example: "01234", accepted: "4...12 digits",
        where: { (4...12).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    private static let volume = ChannelField.choice("volume", Volume.self, "loud as usual")
    private static let code = ChannelField(
        "token", .text(1...128), in: .secrets, isRequired: false, label: ChannelWords("Token"),
        example: "8T4k", accepted: "a code of 1...128 bytes", where: { (1...128).contains($0.utf8.count) })

    enum Volume: String, CaseIterable { case loud, soft }

    var to: String
    var volume: Volume
    var token: Secret?

    var host: String { "pager" }

    init(_ given: ChannelReader) throws(FieldFault) {
        to = try given.text(Self.number)
        volume = try given.choice(Self.volume, Volume.self) ?? .loud
        token = try given.optionalText(Self.code).map { Secret($0) }
    }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        let body = JSONValue.object([
            "to": .string(to), "volume": .string(volume.rawValue),
            "text": .string(TextCut.bytes(text().title, 80)), "code": .optional(token?.text),
        ])
        return .request(.json("https://pager.example/send", body))
    }

    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        status == 404 ? .gone("there is no such pager") : .ofStatus(status, wait, said)
    }
}
