import Crypto
import Encodings
package import Instruments

/// A request of Standard Webhooks 1.0 (standardwebhooks.com): signed, with an id that stays at each retry.
package enum WebhookMessage {
    /// The request at a time; its body is ``Notice/json``.
    package static func request(
        _ settings: WebhookSettings, _ notice: Notice, at now: Timestamp
    ) -> OutgoingRequest {
        let body = Array(notice.json.utf8)
        let id = identifier(notice.id)
        let seconds = now.nanoseconds / 1_000_000_000
        // tidy: unordered-iteration A list, as its owner wrote it.
        let signatures = settings.keys.map { signature(of: body, id: id, seconds: seconds, key: $0) }
        return OutgoingRequest(
            method: "POST", url: settings.url.text,
            headers: [
                Header(name: "Content-Type", value: "application/json"),
                Header(name: "webhook-id", value: id),
                Header(name: "webhook-timestamp", value: String(seconds)),
                Header(name: "webhook-signature", value: signatures.joined(separator: " ")),
            ], body: body, isOwnDestination: true)
    }

    /// `v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body`.
    package static func signature(of body: [UInt8], id: String, seconds: Int64, key: Secret) -> String {
        let content = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: key.bytes))
        return "v1,\(Base64.text(code))"
    }

    /// The id as a header can hold it: without blanks, control characters, dots and what is not ASCII.
    private static func identifier(_ id: String) -> String {
        let isPlain = id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2E && $0 != 0x25 }
        return isPlain ? id : PercentText.encoded(id).replacing(".", with: "%2E")
    }
}
