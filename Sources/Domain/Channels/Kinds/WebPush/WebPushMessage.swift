import Alerting
import Crypto
import Encodings
import Instruments
import JSON

/// A request to the push service of a browser (RFC 8030).
package enum WebPushMessage {
    /// Seconds for which the service keeps a message for a browser that is off.
    static let lifetime = 24 * 3_600

    /// The request.
    ///
    /// - Throws: ``FieldFault`` when the context has no key or no entropy.
    static func request(
        _ settings: WebPushSettings, _ notice: Notice, _ text: NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> OutgoingRequest {
        guard let vapid = context.vapid else {
            throw FieldFault("vapid.key", nil, accepted: "the operator's key for Web Push")
        }
        guard let entropy = context.entropy?.bytes, entropy.count == 48,
            let body = try? WebPushEncryption.body(
                payload(notice, text, context), to: settings.publicKey,
                authentication: settings.authentication, privateKey: Array(entropy[..<32]),
                salt: Array(entropy[32...]))
        else {
            throw FieldFault(
                "entropy", context.entropy.map { _ in "(secret)" },
                accepted: "48 new random bytes, the first 32 a private key of P-256")
        }
        // 32 characters at most; a retry takes the place of what still waits there.
        let topic = Base64URL.text(Array(SHA256.hash(data: Array(notice.id.utf8))).prefix(24))
        return OutgoingRequest(
            method: "POST", url: settings.endpoint.text,
            headers: [
                Header(
                    name: "Authorization",
                    value: try vapid.authorization(for: settings.endpoint, at: context.now)),
                Header(name: "Content-Type", value: "application/octet-stream"),
                Header(name: "Content-Encoding", value: "aes128gcm"),
                Header(name: "TTL", value: String(lifetime)),
                Header(name: "Urgency", value: notice.priority.rawValue), Header(name: "Topic", value: topic),
            ], body: body, wantsHTTP2: true, isOwnDestination: true)
    }

    /// What the page's service worker reads: the members of a notification (W3C Notifications API) and ours.
    private static func payload(_ notice: Notice, _ text: NoticeText, _ context: SendingContext) -> [UInt8] {
        func payload(_ body: String) -> [UInt8] {
            var members: JSONObject = [
                "title": .string(TextCut.json(text.title, 512)), "body": .string(body),
                "lang": .string(text.language), "dir": .string(text.isRightToLeft ? "rtl" : "ltr"),
                "tag": .string(TextCut.json(notice.id, 512)), "kind": .string(notice.kind.rawValue),
                "url": .optional(notice.link(on: context.page)),
            ]
            if context.isSilent { members["silent"] = .bool(true) }
            return JSONValue.object(members).bytes
        }
        let room = WebPushEncryption.limit - payload("").count
        return payload(TextCut.json(text.body, max(room, 0)))
    }
}
