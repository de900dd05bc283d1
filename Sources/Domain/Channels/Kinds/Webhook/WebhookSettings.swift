import Encodings
import Instruments

/// A receiver of Standard Webhooks.
package struct WebhookSettings: ChannelReceiver, Hashable {
    static let name = "webhook"
    static let title = ChannelWords("Webhook")
    static let fields = [address, signingKeys]

    private static let address = ChannelField.url(
        "url", label: ChannelWords("URL"), example: "https://example.org/hook")
    private static let signingKeys = ChannelField(
        "keys", .texts(1...4), in: .secrets, isRequired: false,
        "whsec_ and Base64 of 24...64 bytes; one is made where there is none",
        example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        accepted: "1...4 texts \"whsec_\" and Base64 of 24...64 bytes", where: { key($0) != nil })

    /// Where to.
    package var url: DestinationURL
    /// 1...4 keys of 24...64 bytes: each signs, so that a receiver can change from one to the next.
    package var keys: [Secret]

    var host: String { url.origin }

    init(_ given: ChannelReader) throws(FieldFault) {
        url = try given.url(Self.address)
        keys = try given.texts(Self.signingKeys).compactMap(Self.key)
    }

    private static func key(_ text: String) -> Secret? {
        guard text.hasPrefix("whsec_"), let bytes = Base64.bytes(String(text.dropFirst(6))),
            (24...64).contains(bytes.count)
        else { return nil }
        return Secret(bytes: bytes)
    }

    /// 32 bytes of chance as Standard Webhooks writes keys.
    static func newSecret(using random: inout some RandomNumberGenerator) -> ChannelSecret? {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return ChannelSecret(field: signingKeys, text: "whsec_" + Base64.text(bytes))
    }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        .request(WebhookMessage.request(self, notice, at: context.now))
    }

    /// Standard Webhooks 1.0: 2xx is delivered, 410 is the end, all others are failures that may pass.
    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        status == 410 ? .gone("it answers 410: nothing is wanted there any more") : .again(after: wait)
    }
}

extension ChannelKind {
    /// A request of Standard Webhooks.
    package static let webhook = ChannelKind(WebhookSettings.self)
}
