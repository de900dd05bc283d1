import Alerting
import Crypto
import Encodings
import Instruments
import JSON

/// A request to Apple's push service.
///
/// Sources: developer.apple.com, "Sending notification requests to APNs", "Generating a remote notification",
/// "Starting and updating Live Activities with ActivityKit push notifications".
package enum APNsMessage {
    /// Bytes of a payload.
    static let limit = 4_096
    /// The category that the app gives its view and dismiss actions.
    package static let category = "BITPAL_ALERT"
    /// Seconds for which Apple keeps a message for a device that is off.
    static let lifetime: Int64 = 24 * 3_600

    /// The request.
    ///
    /// - Throws: ``FieldFault`` when the context has no token.
    static func request(
        _ settings: APNsSettings, _ notice: Notice, _ text: NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> OutgoingRequest {
        guard let token = context.apns else {
            throw FieldFault("apns.key", nil, accepted: "the operator's key for APNs")
        }
        guard let topic = settings.bundle ?? context.apnsAccount.topic else {
            throw FieldFault(
                "settings.bundle", nil,
                accepted: "\(APNsAccount.acceptedTopic), where the operator has named none (apns.topic)")
        }
        let body =
            switch settings.form {
            case .alert: alert(notice, text, context)
            case .liveActivity, .liveActivityStart:
                APNsActivity(settings.form, notice).payload(text, at: context.now)
            }
        return OutgoingRequest(
            method: "POST",
            url: "\(context.apnsAccount.origin(of: settings.environment))/3/device/\(settings.device.text)",
            headers: headers(settings.form, topic, notice, token, at: context.now), body: body,
            wantsHTTP2: true, isOwnDestination: false)
    }

    private static func headers(
        _ form: APNsSettings.Form, _ topic: String, _ notice: Notice, _ token: APNsToken, at now: Timestamp
    ) -> [Header] {
        let isActivity = form != .alert
        let digest = Array(SHA256.hash(data: Array(notice.id.utf8)))
        var headers = [
            Header(name: "authorization", value: "bearer \(token.text.text)"),
            Header(name: "apns-id", value: uuid(digest)),
            Header(name: "apns-push-type", value: isActivity ? "liveactivity" : "alert"),
            Header(
                name: "apns-topic", value: topic + (isActivity ? ".push-type.liveactivity" : "")),
            Header(name: "apns-priority", value: notice.priority == .low ? "5" : "10"),
            Header(name: "apns-expiration", value: String(now.nanoseconds / 1_000_000_000 + lifetime)),
            Header(name: "content-type", value: "application/json"),
        ]
        // At most 64 bytes; the same at each retry, so that the device shows a delivery once.
        if !isActivity { headers.append(Header(name: "apns-collapse-id", value: Base64URL.text(digest))) }
        return headers
    }

    /// A UUID of version 8 (RFC 9562) made of a hash.
    private static func uuid(_ digest: [UInt8]) -> String {
        var bytes = Array(digest.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { Hexadecimal.text([$0]) }
        let groups = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
        return groups.map { $0.joined() }.joined(separator: "-")
    }

    /// The payload of an alert; its text is cut so that the whole is within the limit.
    private static func alert(_ notice: Notice, _ text: NoticeText, _ context: SendingContext) -> [UInt8] {
        let title = TextCut.json(text.title, 512)
        func payload(_ body: String) -> [UInt8] {
            var aps: JSONObject = [
                "alert": .object(["title": .string(title), "body": .string(body)])
            ]
            if !context.isSilent { aps["sound"] = .string("default") }
            aps["category"] = .string(category)
            aps["interruption-level"] = .string(interruption(notice.priority))
            if let instrument = notice.instrument {
                aps["thread-id"] = .string(TextCut.json(instrument.description, 256))
            }
            if let badge = context.badge { aps["badge"] = .integer(Int64(max(badge, 0))) }
            return JSONValue.object([
                "aps": .object(aps), "id": .string(TextCut.json(notice.id, 512)),
                "kind": .string(notice.kind.rawValue), "url": .string(notice.appLink),
            ]).bytes
        }
        return payload(TextCut.json(text.body, limit - payload("").count))
    }

    private static func interruption(_ priority: AlertPriority) -> String {
        switch priority {
        case .low: "passive"
        case .normal: "active"
        case .high: "time-sensitive"
        }
    }
}
