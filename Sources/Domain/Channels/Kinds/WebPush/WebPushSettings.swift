import Crypto
import Encodings
import Instruments

/// A browser's subscription (W3C Push API).
package struct WebPushSettings: ChannelReceiver, Hashable {
    static let name = "web_push"
    static let title = ChannelWords(en: "Browser", de: "Browser", es: "Navegador", ja: "ブラウザー")
    static let fields = [address, browserKey, sharedSecret]
    static let maker = ChannelMaker.device
    static let needs: Set<SendingNeed> = [.browserKey]

    private static let address = ChannelField.url("endpoint", example: "https://push.example.org/a")
    private static let browserKey = ChannelField(
        "p256dh", .text(nil), "the browser's key, Base64",
        example: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        accepted: "Base64 of a point of P-256: 65 bytes, uncompressed",
        where: { text in
            guard let bytes = Base64.bytes(text) else { return false }
            return (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
                && bytes.count == 65
        })
    private static let sharedSecret = ChannelField(
        "auth", .text(nil), in: .secrets, "16 bytes in Base64", example: "BTBZMqHH6r4Tts7J_aSIgg",
        accepted: "Base64 of 16 bytes", where: { Base64.bytes($0)?.count == 16 })

    /// Where to; whoever knows it can be told from others, so no log shows it.
    package var endpoint: DestinationURL
    /// The browser's public key: 65 bytes, uncompressed P-256.
    package var publicKey: [UInt8]
    /// The browser's shared secret: 16 bytes.
    package var authentication: Secret

    var host: String { endpoint.origin }

    init(_ given: ChannelReader) throws(FieldFault) {
        endpoint = try given.url(Self.address)
        publicKey = Base64.bytes(try given.text(Self.browserKey)) ?? []
        authentication = Secret(bytes: Base64.bytes(try given.text(Self.sharedSecret)) ?? [])
    }

    func outgoing(
        _ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> Outgoing {
        .request(try WebPushMessage.request(self, notice, text(), context))
    }

    /// The push services of browsers (RFC 8030, sections 5 and 7.3).
    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        if status == 404 || status == 410 { return .gone("the browser's subscription has ended") }
        return .ofStatus(status, wait, said)
    }
}

extension ChannelKind {
    /// A browser.
    package static let webPush = ChannelKind(WebPushSettings.self)
}
