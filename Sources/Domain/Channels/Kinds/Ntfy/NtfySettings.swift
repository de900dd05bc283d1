import Instruments

/// A topic of an ntfy server.
package struct NtfySettings: ChannelReceiver, Hashable {
    static let name = "ntfy"
    static let title = ChannelWords("ntfy")
    static let fields = [address, topicName, accessToken]

    private static let address = ChannelField.url(
        "server", label: ChannelWords(en: "Server", de: "Server", es: "Servidor", ja: "サーバー"),
        "without a path", example: "https://ntfy.sh")
    private static let topicName = ChannelField(
        "topic", .text(1...64), label: ChannelWords(en: "Topic", de: "Thema", es: "Tema", ja: "トピック"),
        example: "mine", accepted: "1...64 letters, digits, hyphens and low lines",
        where: { (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isOfWord) })
    private static let accessToken = ChannelField(
        "token", .text(1...128), in: .secrets, isRequired: false, label: ChannelWords("Token"),
        example: "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2",
        accepted: "an access token of 1...128 printable ASCII characters",
        where: { (1...128).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })

    package var server: DestinationURL
    /// 1...64 letters, digits, hyphens and low lines.
    package var topic: String
    /// An access token, where the server asks for one.
    package var token: Secret?

    var host: String { server.origin }

    init(_ given: ChannelReader) throws(FieldFault) {
        server = try given.url(Self.address)
        guard [server.origin, server.origin + "/"].contains(server.text.lowercased()) else {
            throw given.fault(
                Self.address, accepted: "an https URL without a path, such as https://ntfy.sh")
        }
        topic = try given.text(Self.topicName)
        token = try given.optionalText(Self.accessToken).map { Secret($0) }
    }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        .request(NtfyMessage.request(self, notice, text(), page: context.page))
    }
}
